/** The languages of the shop. Another one takes its files here, and its name in `index.ts` and `load.ts`. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Each language's name in itself. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' };

export const isLanguage = (text: string | undefined): text is Language => languages.some((one) => one === text);

/** The language that a visitor chose, or else the one that their browser likes best of those that the shop has. */
export function pickLanguage(chosen: string | undefined, acceptLanguage: string | null): Language {
  if (isLanguage(chosen)) return chosen;
  const asked = (acceptLanguage ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='));
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality);
  return asked.map(({ language }) => language).find(isLanguage) ?? 'en';
}

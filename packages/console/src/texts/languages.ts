/** The languages of the console. Another one takes a folder here, a file beside it, and its line in `texts.ts`. */
export const languages = ['en', 'de'] as const;
export type Language = (typeof languages)[number];

/** Each language's name in itself. */
export const languageNames: Record<Language, string> = { en: 'English', de: 'Deutsch' };

export const isLanguage = (text: string | null | undefined): text is Language => languages.some((one) => one === text);

/** `de` of `de-AT`. */
const plainOf = (tag: string): string | undefined => tag.toLowerCase().split(/[-_]/)[0];

/** The language that somebody chose, or else the first of their browser's that the console has. */
export function pickLanguage(chosen: string | null, preferred: readonly string[]): Language {
  if (isLanguage(chosen)) return chosen;
  return preferred.map(plainOf).find(isLanguage) ?? 'en';
}

/** The names of a language among others, such as `en-GB` and `en` of English. */
export const namesOf = (language: Language, tags: readonly string[]): string[] =>
  tags.filter((tag) => plainOf(tag) === language);

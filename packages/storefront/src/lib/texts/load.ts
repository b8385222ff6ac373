import type { Texts } from './texts.ts';
import type { Language } from './languages.ts';

const catalogs: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};

/** All words of the pages in a language. A browser loads only those of its page. */
export const loadTexts = (language: Language): Promise<Texts> => catalogs[language]();

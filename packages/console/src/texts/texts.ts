import type { en } from './en.js';
import type { Language } from './languages.js';

/** What every language says: as English has it. */
export type Texts = typeof en;

const catalogs: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en.js')).en,
  de: async () => (await import('./de.js')).de,
};

/** All words of the console, in the language of the page; empty until they are loaded, which is before anything is shown. */
export const texts = {} as Texts;

/** Loads the words of a language, and only those. */
export async function loadTexts(language: Language): Promise<void> {
  Object.assign(texts, await catalogs[language]());
}

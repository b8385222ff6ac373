import { de } from './de.ts';
import { en } from './en.ts';
import type { Language } from './languages.ts';
import type { Texts } from './texts.ts';

export { type Language, pickLanguage } from './languages.ts';

const catalogs: Record<Language, Texts> = { en, de };

/**
 * All words of the pages in a language, on the server. Pages have those of their language in `data.texts`: a component that called
 * this would send all languages to the browser.
 */
export const textsOf = (language: Language): Texts => catalogs[language];

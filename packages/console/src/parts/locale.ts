import { validLocale } from './valid-locale.js';

/** The reader's language, for numbers and times. */
export const locale = validLocale([navigator.language, ...navigator.languages]);

// The chart library asks the browser itself, and breaks if that names an invalid language.
if (navigator.language !== locale) Object.defineProperty(navigator, 'language', { value: locale, configurable: true });

import { language } from './language.js';
import { namesOf } from './languages.js';
import { validLocale } from './valid-locale.js';

const usual = { en: 'en-US', de: 'de-DE' };

/** The reader's way to write numbers and times: that of their region where it speaks the language of the page. */
export const locale = validLocale([
  ...namesOf(language, [navigator.language, ...navigator.languages]),
  usual[language],
]);

// The chart library asks the browser itself, and breaks if that names an invalid language.
if (navigator.language !== locale) Object.defineProperty(navigator, 'language', { value: locale, configurable: true });

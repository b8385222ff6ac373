import { type Language, pickLanguage } from './languages.js';

const key = 'language';

/** The language in which this page is shown. */
export const language = pickLanguage(localStorage.getItem(key), [navigator.language, ...navigator.languages]);

/** Shows the console in another language from now on, on this device: the page begins anew. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(key, chosen);
  location.reload();
}

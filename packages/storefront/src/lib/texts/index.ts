import { de } from './de.ts';
import { en } from './en.ts';

export type Texts = typeof en;
export type Language = 'en' | 'de';

const catalogs: Record<Language, Texts> = { en, de };
export const languages = Object.keys(catalogs) as Language[];

/** All words of the pages in a language. */
export const textsOf = (language: Language): Texts => catalogs[language];

export const isLanguage = (text: string | undefined): text is Language => languages.some((one) => one === text);

/** The language that a visitor chose, or else the first that their browser asks for and the shop has. */
export function pickLanguage(chosen: string | undefined, acceptLanguage: string | null): Language {
  if (isLanguage(chosen)) return chosen;
  const asked = (acceptLanguage ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase());
  return asked.find(isLanguage) ?? 'en';
}

/** Writes money, dates and numbers as a language does. */
export function formatsOf(language: Language, currency: string) {
  const money = new Intl.NumberFormat(language, { style: 'currency', currency });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long' });
  const number = new Intl.NumberFormat(language);
  return {
    money: (amount: number) => money.format(amount),
    date: (iso: string) => date.format(new Date(iso)),
    number: (value: number) => number.format(value),
  };
}

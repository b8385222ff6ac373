import type { Language } from './languages.ts';

/** Writes money, dates and numbers. */
export interface Formats {
  money: (amount: number) => string;
  date: (iso: string | Date) => string;
  number: (value: number) => string;
  /** A number of stars, to one decimal. */
  rating: (value: number) => string;
}

const kept = new Map<string, Formats>();
const mostKept = 50;

/**
 * Writes money, dates and numbers as a language does: with the region of the shop's locale where that has the same language, so
 * that a British shop has British dates.
 */
export function formatsOf(language: Language, currency: string, locale: string = language): Formats {
  const key = `${language} ${currency} ${locale}`;
  const known = kept.get(key);
  if (known) return known;
  if (kept.size >= mostKept) kept.clear();
  const formats = make(locale.toLowerCase().split('-')[0] === language ? locale : language, currency);
  kept.set(key, formats);
  return formats;
}

/** The name of the country that a shop's locale names; empty where it names none. */
export function countryOf(language: Language, locale: string): string {
  const { region } = new Intl.Locale(locale);
  return region === undefined ? '' : (new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? '');
}

function make(locale: string, currency: string): Formats {
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
  const number = new Intl.NumberFormat(locale);
  const rating = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return {
    money: (amount) => money.format(amount),
    date: (iso) => date.format(new Date(iso)),
    number: (value) => number.format(value),
    rating: (value) => rating.format(value),
  };
}

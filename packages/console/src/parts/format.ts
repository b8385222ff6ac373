import { locale } from '../texts/locale.js';
import { shop } from './shop.svelte.js';

const whole = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumSignificantDigits: 2 });
const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const dayOfUtc = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** An amount in the shop's currency, as the shop writes it. */
export const asMoney = (amount: number): string => shop.money.exact(amount);

/** An amount without cents, as an axis names it. */
export const asWholeMoney = (amount: number): string => shop.money.whole(amount);

export const asCount = (count: number): string => whole.format(count);

/** A share of one, such as a probability. */
export const asPercent = (share: number): string => percent.format(share);

/** A number with one digit after the point where it has any. */
export const asDecimal = (value: number): string => decimal.format(value);

/** Date and time in the reader's zone. */
export const asExactTime = (time: string | Date): string => exact.format(new Date(time));

/** A day counted in UTC, whatever the reader's zone. */
export const asDayOfUtc = (time: string | Date): string => dayOfUtc.format(new Date(time));

export const asDate = (time: string | Date): string => date.format(new Date(time));

const sizes = ['B', 'KiB', 'MiB', 'GiB'];

export function asBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < sizes.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${sizes[unit]}`;
}

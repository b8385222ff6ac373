import { locale } from './locale.js';

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const whole = new Intl.NumberFormat('en-US');
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' });
const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const dayOfUtc = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** An amount in the shop's currency. */
export const asMoney = (amount: number): string => money.format(amount);

export const asCount = (count: number): string => whole.format(count);

/** `1 order`, `2 orders`. */
export const counted = (count: number, noun: string, nouns = `${noun}s`): string =>
  `${whole.format(count)} ${count === 1 ? noun : nouns}`;

/** Date and time in the reader's zone. */
export const asExactTime = (time: string | Date): string => exact.format(new Date(time));

/** A day counted in UTC, whatever the reader's zone. */
export const asDayOfUtc = (time: string | Date): string => dayOfUtc.format(new Date(time));

export const asDate = (time: string | Date): string => date.format(new Date(time));

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** The time since or until a moment: `3 hr. ago`, `tomorrow`. */
export function asRelativeTime(time: string | Date, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  for (const [index, [unit, length]] of units.entries()) {
    // What would be 60 minutes is an hour.
    const below = units[index + 1]?.[1] ?? 1;
    const rounded = Math.round(Math.abs(seconds) / below) * below;
    if (Math.max(rounded, Math.abs(seconds)) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return Math.abs(seconds) < 10 ? 'just now' : relative.format(Math.round(seconds), 'second');
}

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

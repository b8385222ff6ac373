import { texts } from '../texts/texts.js';

let relative: Intl.RelativeTimeFormat | undefined;

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** What is past for less than this, or due in less than a second, is now. */
const nowSeconds = 10;

/** The time since or until a moment: `3 hr. ago`, `tomorrow`. */
export function asRelativeTime(time: string | Date, now = Date.now()): string {
  relative ??= new Intl.RelativeTimeFormat(texts.parts.tag, { numeric: 'auto', style: 'short' });
  const seconds = (new Date(time).getTime() - now) / 1000;
  for (const [index, [unit, length]] of units.entries()) {
    // What would be 60 minutes is an hour.
    const below = units[index + 1]?.[1] ?? 1;
    const rounded = Math.round(Math.abs(seconds) / below) * below;
    if (Math.max(rounded, Math.abs(seconds)) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return seconds > -nowSeconds && seconds < 1 ? texts.parts.justNow : relative.format(Math.round(seconds), 'second');
}

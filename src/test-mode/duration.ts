const secondMs = 1_000;
const dayMs = 86_400_000;

/** The units of a duration in their order; a month counts as 30 days, a year as 365. */
const ofDate = { Y: 365 * dayMs, M: 30 * dayMs, W: 7 * dayMs, D: dayMs };
const ofTime = { H: 3_600_000, M: 60_000, S: secondMs };

const iso = /^(-)?P(?=\d|T\d)((?:\d{1,9}[YMWD]){0,4})(?:T((?:\d{1,9}(?:\.\d{1,3})?[HMS]){1,3}))?$/;

function sumOf(text: string, units: Readonly<Record<string, number>>): number {
  const parts = text.match(/\d{1,9}(?:\.\d{1,3})?[A-Z]/g) ?? [];
  return parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * (units[part.slice(-1)] ?? 0), 0);
}

/** The milliseconds of a number of seconds or of a duration of ISO 8601; null for anything else. */
export function millisecondsOf(text: string): number | null {
  if (/^-?\d{1,12}(\.\d{1,3})?$/.test(text)) return Number(text) * secondMs;
  const match = iso.exec(text);
  if (!match) return null;
  const [, sign, date = '', time = ''] = match;
  return (sign ? -1 : 1) * (sumOf(date, ofDate) + sumOf(time, ofTime));
}

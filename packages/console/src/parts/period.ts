import { place } from '../router.svelte.js';

/** The start of a day in the reader's zone, or of one some days later. Nothing for an impossible day, such as `2026-02-30`. */
function startOf(day: string, later = 0): string | undefined {
  const [, year, month, date] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []).map(Number);
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const start = new Date(year, month - 1, date);
  if (start.getMonth() !== month - 1) return undefined;
  start.setDate(date + later);
  return start.toISOString();
}

/** The period in the address, whose days begin and end in the reader's zone. */
export function periodOfPlace(): { since?: string; until?: string } {
  const since = startOf(place.get('since'));
  const until = startOf(place.get('until'), 1);
  return { ...(since && { since }), ...(until && { until }) };
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const duration = /^(\d{1,6})([smhdw])$/;
const date = /^\d{4}-\d\d-\d\d$/;
const dateTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?$/i;

/**
 * The moment that a text denotes: a duration before or after now, or a date or time, which is this machine's own unless it says
 * otherwise: a day begins at midnight here.
 */
export function readTime(text: string, now: Date, direction: 'before' | 'after' = 'before'): Date | null {
  const [, count, unit] = duration.exec(text) ?? [];
  const ms = count && unit ? Number(count) * (unitMs[unit] ?? 0) : null;
  if (ms !== null) return new Date(now.getTime() + (direction === 'before' ? -ms : ms));
  const [, day, clock, zone = ''] = dateTime.exec(text) ?? [];
  const named = date.test(text) ? `${text}T00:00` : day && clock && `${day}T${clock}${zone.toUpperCase()}`;
  const time = named ? new Date(named) : null;
  if (!time || Number.isNaN(time.getTime())) return null;
  // A day beyond the end of its month would become one of the next.
  const asWritten = new Date(`${text.slice(0, 10)}T00:00Z`);
  return asWritten.toISOString().startsWith(text.slice(0, 10)) ? time : null;
}

const spread = 0.2;
const longestRetryAfterSeconds = 86_400;

/** How many seconds a receiver asks to wait by `Retry-After` (RFC 9110, 10.2.3: seconds or a date), a day at most; 0 for none. */
export function retryAfterSeconds(status: number | null, header: string | undefined, now: Date): number {
  if ((status !== 429 && status !== 503) || header === undefined) return 0;
  const value = header.trim();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), longestRetryAfterSeconds);
}

/**
 * How many seconds to wait after so many failures of a series, a fifth more or less so that retries do not come together;
 * null when the schedule is at its end. `random` is from 0 to 1.
 */
export function waitSeconds(schedule: number[], failures: number, retryAfter: number, random: number): number | null {
  const wait = schedule[failures - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 - spread + 2 * spread * random), retryAfter);
}

const spread = 0.2;
const longestRetryAfterSeconds = 86_400;

/** The seconds that a receiver asks to wait by `Retry-After` (RFC 9110, 10.2.3: seconds or a date), a day at most; else 0. */
export function retryAfterSeconds(status: number | null, header: string | undefined, now: Date): number {
  if ((status !== 429 && status !== 503) || header === undefined) return 0;
  const value = header.trim();
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - now.getTime()) / 1_000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), longestRetryAfterSeconds);
}

/**
 * The seconds to wait after so many failures of a series, with a jitter of a fifth, so that retries spread out; null at the
 * end of the schedule. `random` is from 0 to 1.
 */
export function waitSeconds(schedule: number[], failures: number, retryAfter: number, random: number): number | null {
  const wait = schedule[failures - 1];
  if (wait === undefined) return null;
  return Math.max(wait * (1 - spread + 2 * spread * random), retryAfter);
}

import type { Contender, Measurement } from './bench-row.js';

/** One piece that took so long, as a rate. */
export const taking = (ms: number): Measurement => ({
  rate: 1_000 / ms,
  p99Milliseconds: Math.round(ms),
  failures: [],
});

/** What is compared with the bar itself: the ratio is 1 where it is just met. */
export const barOf = (ms: number): Contender => ({ name: `${ms} ms`, measure: () => Promise.resolve(taking(ms)) });

import type { Contender, Measurement } from './bench-row.js';

/** One piece of work and its duration, as a rate. */
export const taking = (ms: number): Measurement => ({
  rate: 1_000 / ms,
  p99Milliseconds: Math.round(ms),
  failures: [],
});

/** Compares with the bar itself: a ratio of 1 just meets it. */
export const barOf = (ms: number): Contender => ({ name: `${ms} ms`, measure: () => Promise.resolve(taking(ms)) });

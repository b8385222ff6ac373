/** How much of everything there is. */
export interface Sizes {
  /** Products of the shops `words` and `million`. */
  words: number;
  million: number;
  /** Scan events that lists are asked of, and those of the small database that they are compared with. */
  events: number;
  fewEvents: number;
  /** Events appended in one round; with the warm-up, a million in all. */
  appended: number;
  /** Results of the report that is imported. */
  results: number;
  /** Issues that are exported, and counted. */
  issues: number;
  /** Orders that are counted, and ten times those that they are compared with. */
  orders: number;
}

/** How long a contestant is asked for: a time, or so many requests. */
export type Load = { seconds: number } | { requests: number };

export interface Pace {
  rounds: number;
  load: Load;
  warmUp: Load;
  /** Of paths that write: they run through much more code, which V8 takes its time to compile. */
  warmUpOfWrites: Load;
  /** How long a database is left in peace before it is swept. */
  quietMs: number;
  sizes: Sizes;
  /** Settings of PostgreSQL. */
  server: Record<string, string>;
}

export const wholePace: Pace = {
  rounds: 3,
  load: { seconds: 2 },
  warmUp: { seconds: 1 },
  warmUpOfWrites: { seconds: 5 },
  quietMs: 1_000,
  server: {},
  sizes: {
    words: 100_000,
    million: 1_000_000,
    events: 2_000_000,
    fewEvents: 100_000,
    appended: 325_000,
    results: 100_000,
    issues: 10_000,
    orders: 200_000,
  },
};

/** Long enough for its samples to say where the time goes. */
export const profilePace: Pace = { ...wholePace, rounds: 1, load: { seconds: 10 }, warmUp: { seconds: 5 } };

/** Everything in short: it shows that all of it works, and its figures say nothing. */
export const smokePace: Pace = {
  rounds: 1,
  load: { requests: 320 },
  warmUp: { requests: 32 },
  warmUpOfWrites: { requests: 32 },
  quietMs: 100,
  server: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  sizes: {
    words: 10_000,
    million: 20_000,
    events: 20_000,
    fewEvents: 5_000,
    appended: 5_000,
    results: 2_000,
    issues: 500,
    orders: 2_000,
  },
};

/** The part of the work that a warm-up does. */
export const warmUpPart = 0.1;

/** How much there is of everything. */
export interface Sizes {
  /** Products of the shops `words` and `million`. */
  words: number;
  million: number;
  /** Scan events in the database of the lists, and in the small one that it is compared with. */
  events: number;
  fewEvents: number;
  /** Events appended in a round; with the warm-up, a million in all. */
  appended: number;
  /** Results of the imported report. */
  results: number;
  /** Issues to export, and to count. */
  issues: number;
  /** Orders to count, ten times as many as in the database compared with. */
  orders: number;
}

/** The length of a load: a time, or a number of requests. */
export type Load = { seconds: number } | { requests: number };

export interface Pace {
  rounds: number;
  load: Load;
  warmUp: Load;
  /** Warm-up of paths that write: they run much more code, which V8 takes a while to compile. */
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
  warmUpOfWrites: { seconds: 15 },
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

/** Long enough for its samples to show where the time goes. */
export const profilePace: Pace = { ...wholePace, rounds: 1, load: { seconds: 10 }, warmUp: { seconds: 5 } };

/** Everything in short: this shows that all of it works; the figures mean nothing. */
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

/** The share of the work done as a warm-up. */
export const warmUpPart = 0.1;

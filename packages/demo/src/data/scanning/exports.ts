/** An attempt of a past delivery. */
export interface DemoAttempt {
  /** How long after the delivery was made. */
  afterSeconds: number;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  response: string | null;
}

/** The outcome of a past delivery. */
export interface DemoOutcome {
  status: 'DELIVERED' | 'EXHAUSTED';
  attempts: readonly DemoAttempt[];
}

const taken = { statusCode: 200, error: null, response: '{"received":true}' };
const overloaded = { statusCode: 503, error: 'The receiver answered 503', response: 'Try again later' };
const away = { statusCode: null, error: '127.0.0.1 accepts no connection', response: null };

const delivered: DemoOutcome = {
  status: 'DELIVERED',
  attempts: [{ afterSeconds: 0, durationMs: 184, ...taken }],
};

const retried: DemoOutcome = {
  status: 'DELIVERED',
  attempts: [
    { afterSeconds: 0, durationMs: 2_310, ...overloaded },
    { afterSeconds: 5, durationMs: 1_874, ...overloaded },
    { afterSeconds: 318, durationMs: 201, ...taken },
  ],
};

/** As often as the service tries by default. */
const exhausted: DemoOutcome = {
  status: 'EXHAUSTED',
  attempts: [
    { afterSeconds: 0, durationMs: 2_655, ...overloaded },
    { afterSeconds: 6, durationMs: 12, ...away },
    { afterSeconds: 289, durationMs: 9, ...away },
    { afterSeconds: 2_140, durationMs: 11, ...away },
    { afterSeconds: 9_022, durationMs: 8, ...away },
    { afterSeconds: 27_613, durationMs: 10, ...away },
    { afterSeconds: 62_408, durationMs: 9, ...away },
    { afterSeconds: 97_530, durationMs: 13, ...away },
  ],
};

/** The outcomes of the exports of serious new issues, by the key of the scan that found them. */
export const outcomesOfScans: readonly { scan: string; outcome: DemoOutcome }[] = [
  { scan: 'pentest-1', outcome: delivered },
  { scan: 'rest-3', outcome: delivered },
  { scan: 'graphql-2', outcome: retried },
  { scan: 'pentest-2', outcome: exhausted },
  { scan: 'code-2', outcome: retried },
  { scan: 'rest-4', outcome: delivered },
];

/** When everything was sent by hand, and what came of it. */
export const sentByHand = { daysAgo: 0.9, outcome: delivered };

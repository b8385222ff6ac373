import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BenchRow, Contender } from './bench-row.js';
import type { Pace } from './pace.js';

const start = promisify(execFile);
const starts = 20;
const client = new URL('../bin/store.mjs', import.meta.url).pathname;

/** Starts Node.js one after the other, and tells how many times a second. */
function starting(name: string, args: string[]): Contender {
  return {
    name,
    async measure(_arena, _pace: Pace, isWarmUp) {
      const times = isWarmUp ? 2 : starts;
      const started = performance.now();
      for (let time = 0; time < times; time++) await start(process.execPath, args);
      return { rate: times / ((performance.now() - started) / 1_000), p99Milliseconds: null, failures: [] };
    },
  };
}

/** What the client adds to the start of Node.js itself. */
export const clientRow: BenchRow = {
  name: 'client-start',
  what: '`store --help`, beside Node.js that does nothing',
  connections: 1,
  unit: 'starts',
  first: starting('store --help', [client, '--help']),
  second: starting('node -e 0', ['-e', '0']),
  bar: 0.6,
};

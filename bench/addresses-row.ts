import type { BenchRow, Contender } from './bench-row.js';
import type { Side } from './contestants.js';
import { ask } from './load.js';
import { smokePace } from './pace.js';

const connections = 64;
const addressesOfConnection = 4_000;
const lists = 10_000;
const secondsOfRound = 40;
/** A request of each connection. */
const once = { requests: connections };
const service: Side = { kind: 'service', database: 'shop' };

/** A different address for each request: lists by offset and size. */
const path = {
  what: '256,000 different addresses, so that memory never has the answer and is always full',
  connections,
  requestsOf: (connection: number) =>
    Array.from({ length: addressesOfConnection }, (_, n) => {
      const which = connection * addressesOfConnection + n;
      const address = `/api/v1/products/?skip=${which % lists}&limit=${1 + Math.floor(which / lists)}`;
      return { method: 'GET' as const, path: address };
    }),
};

function asking(side: Side, seconds: number): Contender {
  return {
    name: side.kind,
    async measure(arena, pace, isWarmUp) {
      const [whole, warmUp] = pace === smokePace ? [once, once] : [{ seconds }, pace.warmUp];
      return ask(path, await arena.contestant(side), isWarmUp ? warmUp : whole);
    },
  };
}

/** Two minutes in which the response cache only grows: its memory is what counts. */
export const addressesRow: BenchRow = {
  name: 'addresses',
  what: path.what,
  connections,
  unit: 'requests',
  first: asking(service, secondsOfRound),
  second: asking({ ...service, kind: 'lean' }, 5),
  bar: null,
  watched: service,
};

import type { BenchRow, Contender } from './bench-row.js';
import type { Side } from './contestants.js';
import { ask } from './load.js';
import { smokePace } from './pace.js';
import type { BenchPath } from './paths.js';

const connections = 64;
const addressesOfConnection = 4_000;
const lists = 10_000;
const secondsOfRound = 40;
const service: Side = { kind: 'service', database: 'shop' };

const what = '256,000 different addresses, so that memory never has the answer and is always full';

/** A different address for each request: lists by offset and size. */
function pathOf(addresses: number): BenchPath {
  return {
    what,
    connections,
    requestsOf: (connection) =>
      Array.from({ length: addresses }, (_, n) => {
        const which = connection * addressesOfConnection + n;
        const address = `/api/v1/products/?skip=${which % lists}&limit=${1 + Math.floor(which / lists)}`;
        return { method: 'GET', path: address };
      }),
  };
}

const path = pathOf(addressesOfConnection);
const oneAddress = pathOf(1);

function asking(side: Side, seconds: number): Contender {
  return {
    name: side.kind,
    async measure(arena, pace, isWarmUp) {
      const contestant = await arena.contestant(side);
      if (pace === smokePace) return ask(oneAddress, contestant, { requests: connections });
      return ask(path, contestant, isWarmUp ? pace.warmUp : { seconds });
    },
  };
}

/** Two minutes in which the response cache only grows: its memory is what counts. */
export const addressesRow: BenchRow = {
  name: 'addresses',
  what,
  connections,
  unit: 'requests',
  first: asking(service, secondsOfRound),
  second: asking({ ...service, kind: 'lean' }, 5),
  bar: null,
  watched: service,
};

import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { barOf, taking } from './bar-contender.js';
import type { BenchRow, Contender } from './bench-row.js';
import type { Contestant, Side } from './contestants.js';
import { sweep } from './fill.js';
import { ask } from './load.js';
import { type Pace, smokePace } from './pace.js';
import { type BenchRequest, benchPaths } from './paths.js';

const service: Side = { kind: 'service', database: 'shop' };
const path = benchPaths.checkout;
const latencyBarMs = 25;
/** The share of a processor that an idle service may use: one second of work in this many. */
const idleBar = 200;
/** How long the mails in hand take to be sent. */
const lastMailsMs = 5_000;

/** Sends a request of a shopper and waits for the whole response; returns its status. */
function sent({ method, path: address, body = '' }: BenchRequest, agent: Agent, url: string, shopper: object) {
  const headers = { ...shopper, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return new Promise<number>((resolve, reject) => {
    const outgoing = request(url + address, { method, agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.once('error', reject).end(body);
  });
}

interface Steady {
  perSecond: number;
  seconds: number;
}

/**
 * Sends this many requests a second at even intervals, however long each takes: shoppers in turn, each with one request at
 * a time. Returns how long each took, from the moment it was due.
 */
async function steadily(contestant: Contestant, { perSecond, seconds }: Steady): Promise<number[]> {
  const times: number[] = [];
  const failures = new Set<number>();
  const apartMs = 1_000 / perSecond;
  const begun = performance.now() + apartMs;
  const shop = async (shopper: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const requests = path.requestsOf(shopper);
    for (let turn = 0; turn * path.connections * apartMs < seconds * 1_000; turn++) {
      const due = begun + (turn * path.connections + shopper - 1) * apartMs;
      await sleep(Math.max(0, due - performance.now()));
      const next = requests[turn % requests.length];
      if (!next) continue;
      const status = await sent(next, agent, contestant.baseUrl, contestant.asShopper(next.shopper ?? shopper));
      times.push(performance.now() - due);
      if (status >= 300) failures.add(status);
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: path.connections }, (_, index) => shop(index + 1)));
  if (failures.size > 0) throw new Error(`Some orders were answered ${[...failures].join(', ')}`);
  return times;
}

function percentile(times: number[], share: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/** The maximum rate, and then the latencies at half of it. */
const atHalfTheRate: Contender = {
  name: 'service',
  async measure(arena, pace: Pace, isWarmUp) {
    const contestant = await arena.contestant(service);
    await sweep(await arena.database('shop'), pace.quietMs);
    const { rate, failures } = await ask(path, contestant, isWarmUp ? pace.warmUpOfWrites : pace.load);
    if (isWarmUp || failures.length > 0) return { rate, p99Milliseconds: null, failures };
    const times = await steadily(contestant, { perSecond: rate / 2, seconds: pace === smokePace ? 1 : 10 });
    return taking(percentile(times, 0.99));
  },
};

/** How many seconds pass while an idle service works for one. */
const idling: Contender = {
  name: 'service',
  async measure(arena, pace: Pace, isWarmUp) {
    const contestant = await arena.contestant(service);
    if (isWarmUp) {
      await sweep(await arena.database('shop'), pace.quietMs); // the mails of the orders before
      await sleep(pace === smokePace ? 0 : lastMailsMs);
    }
    const seconds = pace === smokePace || isWarmUp ? 1 : 20;
    const before = await contestant.processorSeconds();
    await sleep(seconds * 1_000);
    const worked = Math.max(0.01, (await contestant.processorSeconds()) - before);
    return { rate: seconds / worked, p99Milliseconds: null, failures: [] };
  },
};

/** Measurements under a steady load, or none, rather than at full speed. */
export const steadyRows: BenchRow[] = [
  {
    name: 'idle',
    group: 'steady',
    what: 'seconds that pass while a service that nobody asks works for one: 200 are 0.5 % of a processor',
    connections: 0,
    unit: 'seconds',
    first: idling,
    second: {
      name: 'bar',
      measure: () => Promise.resolve({ rate: idleBar, p99Milliseconds: null, failures: [] }),
    },
    bar: 1,
    alone: [service],
  },
  {
    name: 'orders-at-half',
    group: 'steady',
    what: `${path.what}, at half of the most that it can do: the slowest hundredth`,
    connections: path.connections,
    unit: 'requests',
    first: atHalfTheRate,
    second: barOf(latencyBarMs),
    bar: 1,
    alone: [service],
  },
];

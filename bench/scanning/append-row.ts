import type { Client } from 'pg';
import type { NewEvent } from '../../src/scanning/scan-events/event-rows.js';
import type { ScanContext } from '../../src/scanning/scans/scan-context.js';
import type { Arena } from '../arena.js';
import type { BenchRow, Contender, Measurement } from '../bench-row.js';
import type { Side } from '../contestants.js';
import { ask } from '../load.js';
import { type Pace, warmUpPart } from '../pace.js';
import { copyEvents, restOfLine } from './copy-events.js';
import { benchId, organizationId } from './fill-organization.js';

const connections = 4;
export const eventsOfRequest = 1_000;
const bodiesInTurn = 20;
const side: Side = { kind: 'service', database: 'appends' };

/** The scan that connection `n`, from 1, appends to. */
function scanOf(n: number): ScanContext {
  const assetIds = [benchId('asset', n)];
  return { id: benchId('scan', n), organizationId, profileId: benchId('profile', n), assetIds };
}

const words = ['login', 'cart', 'search', 'profile', 'orders', 'returns', 'help', 'admin'];

/** What a scanner reports while it works: one event in ten shows a request. */
function eventOf(n: number): NewEvent {
  const word = words[n % words.length] ?? '';
  const url = `https://shop.example.com/${word}?step=${n}`;
  const exchange = { request: { method: 'GET', url }, response: { status: 200, body: 'Welcome back' } };
  return {
    title: `Request ${n % 977} to /${word}`,
    description: `Case ${n} of the ${word} page: answered 200 after ${n % 911} ms, nothing that points to a weakness.`,
    level: n % 50 === 0 ? 'WARNING' : 'INFO',
    stage: n % 3 === 0 ? 'AGENT_ACTION' : 'EXECUTION',
    ...(n % 10 === 0 && { attachments: [{ type: 'EXCHANGE', exchange }] }),
  };
}

const batches = Array.from({ length: bodiesInTurn }, (_, batch) =>
  Array.from({ length: eventsOfRequest }, (_unused, n) => eventOf(batch * eventsOfRequest + n)),
);

function requestsOf(pace: Pace, isWarmUp: boolean): number {
  return Math.max(connections, Math.round((pace.sizes.appended * (isWarmUp ? warmUpPart : 1)) / eventsOfRequest));
}

/** Each measurement begins without events. */
async function empty(arena: Arena): Promise<void> {
  await (await arena.database('appends')).query('TRUNCATE scan_events');
}

const bodies = batches.map((events) => events.map((event) => JSON.stringify(event)).join('\n'));
/** Appends a thousand events at once. */
export const appendPath = {
  what: `events appended, ${eventsOfRequest} a request as NDJSON`,
  connections,
  requestsOf: (connection: number) =>
    bodies.map((body) => ({
      method: 'POST' as const,
      path: `/api/v1/scans/${scanOf(connection).id}/events`,
      body,
      type: 'application/x-ndjson',
      from: 'organization' as const,
    })),
};

/** Appends with or without the trigger that counts events by hour and level. */
function appending(name: string, counting: 'ENABLE' | 'DISABLE'): Contender {
  return {
    name,
    async measure(arena, pace, isWarmUp): Promise<Measurement> {
      const contestant = await arena.contestant(side);
      await empty(arena);
      const client = await arena.database('appends');
      await client.query(`ALTER TABLE scan_events ${counting} TRIGGER scan_events_added`);
      const measurement = await ask(appendPath, contestant, { requests: requestsOf(pace, isWarmUp) });
      return { ...measurement, rate: measurement.rate * eventsOfRequest };
    },
  };
}

async function copyInTurn(client: Client, lines: string[][], times: number): Promise<void> {
  for (let n = 0; n < times; n++) await copyEvents(client, lines[n % lines.length] ?? []);
}

const copying: Contender = {
  name: 'COPY',
  async measure(arena, pace, isWarmUp): Promise<Measurement> {
    await empty(arena);
    const times = Math.ceil(requestsOf(pace, isWarmUp) / connections);
    const clients = await Promise.all(Array.from({ length: connections }, () => arena.connect('appends')));
    const lines = clients.map((_, n) =>
      batches.map((events) => events.map((event) => restOfLine(scanOf(n + 1), event))),
    );
    const started = performance.now();
    await Promise.all(clients.map((client, n) => copyInTurn(client, lines[n] ?? [], times)));
    const seconds = (performance.now() - started) / 1_000;
    for (const client of clients) await client.end();
    return { rate: (times * connections * eventsOfRequest) / seconds, p99Milliseconds: null, failures: [] };
  },
};

export const appendRow: BenchRow = {
  name: 'events-append',
  what: appendPath.what,
  connections,
  unit: 'events',
  first: appending('service', 'ENABLE'),
  second: copying,
  bar: 0.75,
  watched: side,
};

/** The cost of maintaining the figures of the console's histogram. */
export const countedAppendRow: BenchRow = {
  name: 'events-append-counted',
  what: 'the same, beside appends that are neither counted by hour and level nor noted for followers',
  connections,
  unit: 'events',
  first: appending('service', 'ENABLE'),
  second: appending('neither', 'DISABLE'),
  bar: 0.95,
};

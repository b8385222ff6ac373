import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { EventArrivals } from '../../src/scanning/scan-events/scan-events.dto.js';
import { joinScanning } from '../support/backup-scene.js';
import { EventStream } from '../support/event-stream.js';
import { newEvent } from '../support/events.js';
import { ReplicatedServer } from '../support/replicated-server.js';
import { query } from '../support/service-copies.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';

const appends = 30;
/** So many that the promoted server still counts its transactions among theirs once a service has started on it. */
const lostAppends = 300;

let servers: ReplicatedServer;
let before: ServiceProcess;
let after: ServiceProcess | undefined;
let scanner: Awaited<ReturnType<typeof joinScanning>>;

function serve(url: string): Promise<ServiceProcess> {
  const quiet = { DEMO_DATA: 'false', CONSOLE: 'false', LOG_LEVEL: 'error' };
  const secrets = { JWT_SECRET: 'j'.repeat(32), ENCRYPTION_KEY: Buffer.alloc(32, 'k').toString('base64') };
  return startServiceProcess({ ...quiet, ...secrets, DATABASE_URL: url, DATA_DIR: join(servers.folder, 'uploads') });
}

beforeEach(async () => {
  servers = await ReplicatedServer.start();
  before = await serve(servers.primary.url);
  scanner = await joinScanning(before);
});
afterEach(async () => {
  await before?.stop('SIGKILL');
  await after?.stop('SIGKILL');
  await servers?.stop();
});

async function append({ baseUrl }: ServiceProcess, title: string): Promise<void> {
  const { headers, appendPath } = scanner;
  const body = JSON.stringify([newEvent({ title })]);
  const { status } = await fetch(baseUrl + appendPath, { method: 'POST', headers, body });
  if (status !== 201) throw new Error(`Appending answered ${status}`);
}

async function appendAll(service: ServiceProcess, name: string, count: number): Promise<string[]> {
  const titles = Array.from({ length: count }, (_, n) => `${name} ${n}`);
  for (const title of titles) await append(service, title);
  return titles;
}

/** Follows to the end, beginning at the present if there is no cursor. */
async function follow({ baseUrl }: ServiceProcess, cursor = '') {
  const titles: string[] = [];
  for (let next = cursor; ;) {
    const path = `/api/v1/events/arrivals?size=20${next === '' ? '' : `&after=${next}`}`;
    const response = await fetch(baseUrl + path, { headers: scanner.headers });
    if (response.status !== 200) throw new Error(`Following answered ${response.status} ${await response.text()}`);
    const { data, nextCursor, more } = (await response.json()) as EventArrivals;
    titles.push(...data.map(({ title }) => title));
    next = nextCursor;
    if (!more) return { titles, cursor: next };
  }
}

const transactions = async (url: string, name: string) =>
  (await query<{ id: string }>(url, `SELECT arrived::text AS id FROM scan_events WHERE title LIKE '${name} %'`)).map(
    ({ id }) => id,
  );

it('A follower misses nothing after the promotion of a replica that lacks the last events followed', async () => {
  const begun = await follow(before);
  await append(before, 'kept 0');
  const kept = await follow(before, begun.cursor);
  expect(kept.titles).toEqual(['kept 0']);
  await servers.cutOff();

  const lost = await appendAll(before, 'lost', lostAppends);
  const ahead = await follow(before, kept.cursor);
  expect(ahead.titles).toEqual(lost);
  const lostTransactions = await transactions(servers.primary.url, 'lost');
  await before.stop('SIGKILL');
  await servers.primary.stop();
  await servers.replica.admin('SELECT pg_promote()');

  after = await serve(servers.replica.url);
  const stream = await EventStream.open(after.baseUrl, { headers: scanner.headers, lastId: ahead.cursor });
  const later = await appendAll(after, 'later', appends);
  const again = (await transactions(servers.replica.url, 'later')).filter((id) => lostTransactions.includes(id));
  expect(again.length).toBeGreaterThan(0);
  expect(await transactions(servers.replica.url, 'lost')).toEqual([]);
  expect((await follow(after, ahead.cursor)).titles).toEqual(later);
  expect((await follow(after, kept.cursor)).titles).toEqual(later);
  expect((await follow(after, begun.cursor)).titles).toEqual(['kept 0', ...later]);
  expect(await stream.has(appends)).toEqual(later);
  stream.close();
}, 240_000);

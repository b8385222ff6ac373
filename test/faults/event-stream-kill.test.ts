import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { EventStream } from '../support/event-stream.js';
import { EventCalls, newEvent } from '../support/events.js';
import { insertOrganization } from '../support/organizations.js';
import { until } from '../support/receiver.js';
import { Scanning } from '../support/scanning.js';
import { startNodeProcess } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const kills = 2;
/** The pause between two appends, so that the backlog of a killed node stays small however long another one takes to start. */
const restMs = 100;

let app: TestApp;
let dataDir: string;
beforeAll(async () => {
  app = await startTestApp();
  dataDir = await mkdtemp(join(tmpdir(), 'store-stream-kill-'));
});
afterAll(async () => {
  await app.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('A follower of a killed node misses and repeats nothing once the node is back', async () => {
  const acme = new Scanning(app, await insertOrganization(app));
  const events = new EventCalls(app, acme.token);
  const scanId = (await acme.scan()).id;
  const [seen, written]: [string[], string[]] = [[], []];
  let lastId: string | undefined;
  const over = new AbortController();
  const writing = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const titles = [`${n} one`, `${n} two`];
      await events.appended(scanId, ...titles.map((title) => newEvent({ title })));
      written.push(...titles);
      await sleep(restMs);
    }
  })();
  try {
    for (let round = 0; round < kills; round++) {
      const node = await startNodeProcess(app, dataDir);
      const stream = await (await EventStream.open(node.baseUrl, { token: acme.token, lastId })).live();
      await stream.has(10);
      await node.stop('SIGKILL');
      await stream.end();
      seen.push(...stream.titles);
      lastId = stream.lastId;
    }
  } finally {
    over.abort();
    await writing;
  }
  const node = await startNodeProcess(app, dataDir);
  const stream = await EventStream.open(node.baseUrl, { token: acme.token, lastId });
  const missing = () => written.slice(written.indexOf(seen.at(-1) ?? '') + 1);
  await until(() => stream.titles.length >= missing().length, 'what arrived while the node was away');
  seen.push(...stream.titles);
  stream.close();
  await node.stop('SIGKILL');
  expect(seen).toEqual(written.slice(written.indexOf(seen[0] ?? '')));
}, 240_000);

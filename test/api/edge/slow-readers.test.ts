import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { UploadedPicture } from '../../../src/store/uploads/uploads.dto.js';
import { type InsertedUser, insertAdmin } from '../../support/accounts.js';
import { EventCalls, newEvent } from '../../support/events.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization } from '../../support/organizations.js';
import { formWith, makePicture } from '../../support/pictures.js';
import { until } from '../../support/receiver.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp, type TestAppChoices } from '../../support/test-app.js';

/** The service with large answers of each kind. */
interface Scene {
  app: TestApp;
  admin: InsertedUser;
  acme: Scanning;
  events: EventCalls;
  scanId: string;
  picture: string;
}

const large = 'A snippet\n'.repeat(5_000);
const largeEvent = () =>
  newEvent({ attachments: [{ type: 'SNIPPET', snippet: { name: 'a.txt', language: 'text', content: large } }] });

async function makeScene(env: NonNullable<TestAppChoices['env']>): Promise<Scene> {
  const app = await startTestApp({ env });
  const server: Server = app.nest.getHttpServer();
  server.on('connection', (socket: Socket) => servedSides.set(socket.remotePort ?? 0, socket));
  server.on('drop', (data) => dropped.add(data?.remotePort ?? 0));
  const admin = await insertAdmin(app);
  await app.database.rows(
    `INSERT INTO products (name, price, stock, description)
     SELECT 'Product ' || n, 1, 1, repeat('Described. ', 900) FROM generate_series(1, 300) AS n`,
  );
  const acme = new Scanning(app, await insertOrganization(app));
  const events = new EventCalls(app, acme.token);
  const { id: scanId } = await acme.scan();
  await events.appended(scanId, ...Array.from({ length: 40 }, largeEvent));
  const raw = formWith(await makePicture('png', 1_200, 1_000));
  const uploaded = await app.api.post<UploadedPicture>('/api/v1/uploads/general', { token: admin.token, raw });
  expect(uploaded.body.size).toBeGreaterThan(2 * 2 ** 20);
  return { app, admin, acme, events, scanId, picture: uploaded.body.url };
}

let clients: Socket[] = [];
/** The service's sides of connections, by the ports of the clients. */
const servedSides = new Map<number, Socket>();
/** The ports of clients for whom there was no place. */
const dropped = new Set<number>();
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** A connection that reads nothing, and the service's side of it. */
interface Reader {
  client: Socket;
  served: Socket;
}

async function open({ app }: Scene): Promise<Reader> {
  const client = connect(Number(new URL(app.baseUrl).port), '127.0.0.1');
  client.on('error', () => undefined);
  client.pause();
  clients.push(client);
  await once(client, 'connect');
  const port = client.localPort ?? 0;
  await until(() => servedSides.has(port) || dropped.has(port), 'the connection');
  if (dropped.delete(port)) client.destroy();
  return { client, served: servedSides.get(port) ?? client };
}

/** A connection that is not one too many: those of earlier requests may still be there. */
async function admitted(scene: Scene): Promise<Reader> {
  for (;;) {
    const reader = await open(scene);
    if (!reader.client.destroyed) return reader;
    await sleep(50);
  }
}

function ask({ client }: Reader, path: string, token: string | undefined, times = 1): void {
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n`.repeat(times));
}

const lists = '/api/v1/events?size=100';

describe('A client that reads nothing of its answers', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await makeScene({ UNREAD_SECONDS: '1', MAX_CONNECTIONS: '12' });
  });
  afterAll(() => scene.app.close());

  const kinds: [kind: string, path: () => string, token: () => string | undefined, times: number][] = [
    ['a picture', () => scene.picture, () => undefined, 10],
    ['a page of the catalogue', () => '/api/v1/products/?limit=100', () => undefined, 25],
    ['a list that is no public read', () => '/api/v1/admin/products?limit=300', () => scene.admin.token, 10],
    ['events', () => lists, () => scene.acme.token, 10],
    ['an export', () => '/api/v1/admin/products/export', () => scene.admin.token, 10],
    ['the interface description', () => '/openapi.json', () => undefined, 25],
    ['a file of the documentation', () => '/docs/swagger-ui-bundle.js', () => undefined, 20],
  ];

  it.each(kinds)('loses its connection (%s)', async (_, path, token, times) => {
    const reader = await admitted(scene);
    ask(reader, path(), token(), times);
    await until(() => reader.served.bytesWritten > 0, 'an answer');
    await until(() => reader.served.destroyed, 'the end of the connection');
  });

  it('loses its stream of events', async () => {
    const reader = await admitted(scene);
    ask(reader, '/api/v1/events/stream', scene.acme.token);
    await until(() => reader.served.bytesWritten > 0, 'the beginning of the stream');
    for (let n = 0; n < 6; n++) {
      await scene.events.appended(scene.scanId, ...Array.from({ length: 40 }, largeEvent));
    }
    await until(() => reader.served.destroyed, 'the end of the connection');
  });

  it('keeps others out only until then, with all the connections there are', async () => {
    const readers: Reader[] = [];
    while (readers.length < 12) {
      const reader = await open(scene);
      if (reader.client.destroyed) {
        await sleep(50); // connections of earlier requests are still there
        continue;
      }
      ask(reader, scene.picture, undefined, 10);
      readers.push(reader);
    }
    await until(async () => (await fetch(`${scene.app.baseUrl}/health`).catch(() => null))?.status === 200, 'a place');
    await until(() => readers.every(({ served }) => served.destroyed), 'the end of the connections');
  });

  it('gets all of it where it takes a little now and then', async () => {
    const reader = await open(scene);
    let received = 0;
    let head = '';
    ask(reader, scene.picture, undefined);
    const size = () => Number(/content-length: (\d+)/i.exec(head)?.[1]);
    while (!(received >= size())) {
      await sleep(200);
      const bytes = reader.client.read(Math.min(200_000, reader.client.readableLength || 1)) as Buffer | null;
      if (!bytes) continue;
      if (head === '') head = bytes.toString('latin1');
      received += bytes.length;
      expect(reader.served.destroyed).toBe(false);
    }
  });

  it('waits longer for an answer that is still being made, also where others wait behind it', async () => {
    const held = await HeldTransaction.open(scene.app.database, 'LOCK TABLE products');
    const reading = scene.app.api.get('/api/v1/admin/products?limit=1', { token: scene.admin.token });
    const reader = await admitted(scene);
    ask(reader, '/api/v1/admin/products?limit=1', scene.admin.token);
    ask(reader, '/openapi.json', undefined);
    await held.blocks(2);
    await sleep(2_500); // in which nothing may end either
    await held.commit();
    expect((await reading).status).toBe(200);
    await until(() => reader.served.bytesWritten > 100_000, 'both answers');
  });
});

describe('Answers that are not read', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await makeScene({ UNREAD_SECONDS: '3600', ANSWER_MEMORY_MB: '16' });
  });
  afterAll(() => scene.app.close());

  it('take a bounded amount of memory together: those behind for longest make way', async () => {
    const readers: Reader[] = [];
    for (let n = 0; n < 12; n++) {
      const reader = await open(scene);
      ask(reader, lists, scene.acme.token, 4);
      await until(() => reader.served.destroyed || reader.served.writableLength > 2 ** 20, 'an answer that waits');
      readers.push(reader);
    }
    const unsent = () => readers.reduce((sum, { served }) => sum + (served.destroyed ? 0 : served.writableLength), 0);
    await until(() => unsent() <= 16 * 2 ** 20, 'room');
    expect(readers.some(({ served: { destroyed } }) => destroyed)).toBe(true);
    expect(readers.some(({ served: { destroyed } }) => !destroyed)).toBe(true);
    expect((await scene.app.api.get('/api/v1/products/?limit=1')).status).toBe(200);
  });

  it('count while they wait behind another one on their connection', async () => {
    const reader = await open(scene);
    ask(reader, lists, scene.acme.token, 60);
    await until(() => reader.served.destroyed, 'the end of the connection');
  });
});

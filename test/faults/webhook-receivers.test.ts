import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Delivery } from '../../src/scanning/webhook-export/deliveries.dto.js';
import { type InsertedOrganization, insertOrganization } from '../support/organizations.js';
import { startReceiver, until } from '../support/receiver.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { WorkflowCalls } from '../support/workflows.js';

interface BadReceiver {
  url: string;
  close(): void;
}

const servers: BadReceiver[] = [];
let app: TestApp;
let acme: InsertedOrganization;
let calls: WorkflowCalls;
beforeAll(async () => {
  app = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1', WEBHOOK_RETRY_SECONDS: '600' }, jobs: true });
  acme = await insertOrganization(app);
  calls = new WorkflowCalls(app, acme);
});
afterAll(async () => {
  await app.close();
  for (const server of servers) server.close();
});

async function listening(server: Server, sockets: Set<Socket>): Promise<BadReceiver> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const bad = {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  servers.push(bad);
  return bad;
}

const overTcp = (behave: (socket: Socket) => void): Promise<BadReceiver> =>
  listening(createTcpServer(behave), new Set());

const overHttp = (behave: (response: ServerResponse) => void): Promise<BadReceiver> =>
  listening(
    createServer((request, response) => {
      request.resume();
      response.on('error', () => undefined);
      behave(response);
    }),
    new Set(),
  );

function drip(socket: Socket, text: string): void {
  let at = 0;
  const timer = setInterval(() => {
    if (at < text.length && socket.writable) socket.write(text.charAt(at++));
    else clearInterval(timer);
  }, 1_000);
}

const chunk = Buffer.alloc(64 * 1024, 'x');

/** Sends as fast as it is read, until the other side stops. */
function flood(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'content-length': String(bytes) });
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}

const badReceivers: Record<string, () => Promise<BadReceiver>> = {
  'never answers': () => overTcp(() => undefined),
  'drips its status a byte a second': () =>
    overTcp((socket) => drip(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')),
  'closes early': () => overTcp((socket) => socket.once('data', () => socket.destroy())),
  'answers nonsense': () => overTcp((socket) => socket.once('data', () => socket.end('nonsense\r\n\r\n'))),
  'redirects to itself': () => overHttp((response) => response.writeHead(307, { location: '/' }).end()),
};

/** Makes a workflow to the receiver, runs it this many times, and returns its id. */
async function runs(url: string, count: number): Promise<string> {
  const { id } = await calls.make(url);
  for (let n = 0; n < count; n++) await calls.run(id);
  return id;
}

async function firstAttempts(id: string, count = 1): Promise<Delivery[]> {
  let deliveries: Delivery[] = [];
  await until(async () => {
    deliveries = await calls.deliveries(id);
    return (
      deliveries.length === count && deliveries.every(({ attempts }) => typeof attempts[0]?.durationMs === 'number')
    );
  }, 'the first attempts');
  return deliveries;
}

describe('Receivers that behave badly', () => {
  it('delay no other delivery', async () => {
    const bad = await Promise.all(Object.values(badReceivers).map((start) => start()));
    const [silent = ''] = await Promise.all(bad.map(({ url }) => runs(url, 8)));
    const good = await startReceiver();
    await runs(good.url, 5);
    await good.has(5);
    const attempts = (await calls.deliveries(silent)).flatMap((delivery) => delivery.attempts);
    expect(attempts.filter(({ durationMs }) => durationMs !== null)).toEqual([]);
    await good.close();
  });

  it.each([
    ['never answers', /15 seconds/],
    ['drips its status a byte a second', /15 seconds/],
    ['closes early', /did not send a complete HTTP response/],
    ['answers nonsense', /did not send a complete HTTP response/],
    ['redirects to itself', /redirects are not followed/],
  ])('fail an attempt when one %s', async (name, error) => {
    const bad = await badReceivers[name]?.();
    const [delivery] = await firstAttempts(await runs(bad?.url ?? '', 1));
    expect(delivery?.status).toBe('RETRYING');
    expect(delivery?.attempts).toMatchObject([{ error: expect.stringMatching(error) }]);
  });

  it('fail an attempt when nothing listens', async () => {
    const gone = await overTcp(() => undefined);
    gone.close();
    const [delivery] = await firstAttempts(await runs(gone.url, 1));
    expect(delivery?.attempts).toMatchObject([
      { statusCode: null, error: expect.stringContaining('does not accept connections') },
    ]);
  });

  it('succeed with a 2xx, whatever comes after it', async () => {
    const dripping = await overHttp((response) => {
      response.writeHead(202);
      response.write('x');
    });
    const [delivery] = await firstAttempts(await runs(dripping.url, 1));
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ statusCode: 202, error: null }] });
  });

  it('are read no further than 20,000 bytes, even if they send 2 GB', async () => {
    const flooding = await overHttp((response) => flood(response, 2 * 1024 ** 3));
    const before = process.memoryUsage().rss;
    const deliveries = await firstAttempts(await runs(flooding.url, 4), 4);
    expect(deliveries.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'DELIVERED'));
    expect(deliveries[0]?.attempts[0]?.response).toHaveLength(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });
});

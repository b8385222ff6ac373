import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let service: TestApp;
let sockets: Socket[] = [];
beforeAll(async () => {
  const bounds = { REQUEST_TIMEOUT_SECONDS: '3', BODY_MEMORY_MB: '1', MAX_CONNECTIONS: '40' };
  service = await startTestApp({ env: bounds });
});
afterEach(async () => {
  const alive = sockets.filter((socket) => !socket.destroyed);
  sockets = [];
  await Promise.all(alive.map((socket) => once(socket.destroy(), 'close')));
});
afterAll(() => service.close());

function open(): Socket {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  return socket;
}

/** Begins a request and stops in its body. */
function beginBody(bytes: number, headers = ''): Socket {
  const socket = open();
  socket.write(
    `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}` +
      `Content-Length: ${200 * 1024}\r\n\r\n{"username":"${'a'.repeat(bytes)}`,
  );
  return socket;
}

async function isOpen(socket: Socket): Promise<boolean> {
  await sleep(0);
  return !socket.destroyed && !socket.readableEnded;
}

describe('A request that takes too long to arrive', () => {
  it.each([
    ['its headers', () => open().write('GET /health HTTP/1.1\r\nHost: x\r\nx-slow: ')],
    ['its body', () => beginBody(10)],
  ])('gets a 408 and is ended, in the middle of %s', async (_, begin) => {
    begin();
    expect(await text(sockets[0] as Socket)).toMatch(/^HTTP\/1\.1 408 [\s\S]*took too long to arrive/);
  });
});

describe('Bodies that are still arriving', () => {
  it('take a bounded amount of memory together: the oldest makes way', async () => {
    const first = beginBody(190 * 1024);
    const ended = once(first, 'close');
    first.resume();
    await sleep(100);
    const others = Array.from({ length: 5 }, () => beginBody(190 * 1024).resume());
    await ended;
    expect(await Promise.all(others.slice(2).map(isOpen))).toEqual([true, true, true]);
    expect((await service.api.get('/health')).status).toBe(200);
  });

  it('count at their full size when compressed', async () => {
    const first = beginBody(20, 'Content-Encoding: gzip\r\n');
    const ended = once(first, 'close');
    first.resume();
    await sleep(100);
    for (let another = 0; another < 5; another++) beginBody(20, 'Content-Encoding: gzip\r\n').resume();
    await ended;
  });

  it('no longer count once they have arrived', async () => {
    const json = { username: 'a'.repeat(200 * 1024), password: 'whatever-7' };
    for (let request = 0; request < 12; request++) {
      expect((await service.api.post('/api/v1/auth/login', { json })).status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('Connections', () => {
  it('beyond the limit are ended, and those within are served', async () => {
    const within = open();
    await once(within, 'connect');
    await Promise.all(Array.from({ length: 60 }, () => once(open(), 'connect').catch(() => null)));
    await sleep(300);
    const alive = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded);
    expect(alive.length).toBeLessThanOrEqual(40);
    within.write('GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(within)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

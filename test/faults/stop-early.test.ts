import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import '../support/built-service.js';

let silent: Server;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stop-early-'));
  silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterEach(async () => {
  silent.close();
  await rm(folder, { recursive: true });
});

/** A service whose database takes the connection and says nothing, as one that is held up does. */
async function startHeldUp() {
  const { port } = silent.address() as AddressInfo;
  const env = { DATABASE_URL: `postgres://store@127.0.0.1:${port}/store`, DATA_DIR: folder, PORT: '0' };
  const service = spawn(process.execPath, ['dist/src/main.js'], { env, stdio: 'ignore' });
  await once(silent, 'connection');
  return service;
}

describe('A service that is told to stop before it has started', () => {
  // It hears of the signal itself: the system would not end it as the first process of a container.
  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('ends by %s at once, with %i', async (signal, code) => {
    const service = await startHeldUp();
    const ended = once(service, 'exit');
    service.kill(signal);
    expect(await ended).toEqual([code, null]);
  });
});

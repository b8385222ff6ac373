import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { readBaseBackup } from '../src/base-backup.js';

/** In PostgreSQL's protocol: the login is accepted, and a query may come. */
const welcome = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 0, ...Buffer.from('Z'), 0, 0, 0, 5, 0x49]);

let server: Server;
beforeAll(async () => {
  server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(welcome);
      socket.once('data', () => socket.destroy());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

it('A backup fails if its server is lost before it begins, and harms nothing else', async () => {
  const { port } = server.address() as AddressInfo;
  const read = async () => {
    for await (const piece of readBaseBackup(`postgres://store:x@127.0.0.1:${port}/store`)) expect(piece).toBeDefined();
  };
  await expect(read()).rejects.toThrow(/Connection terminated/);
  await sleep(50); // in which an unhandled error would end the process
});

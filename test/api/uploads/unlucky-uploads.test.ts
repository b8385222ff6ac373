import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Settings } from '../../../src/config/settings.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { formWith, makePicture } from '../../support/pictures.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/uploads/general';
const mebibyte = 1024 * 1024;

let shop: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  shop = await startTestApp();
  user = await insertUser(shop);
});
afterAll(() => shop.close());

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Sends a form without end for as long as the service takes it, 40 MiB at most. */
async function sendEndlessly(): Promise<{ answer: string; sentBytes: number }> {
  const { hostname, port } = new URL(shop.baseUrl);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (data: Buffer) => received.push(data));
  socket.on('error', () => socket.destroy());
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${user.token}\r\n` +
      'Content-Type: multipart/form-data; boundary=x\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  socket.write(chunkOf(Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n')));
  const chunk = chunkOf(Buffer.alloc(65_536));
  let sentBytes = 0;
  while (!socket.destroyed && received.length === 0 && sentBytes < 40 * mebibyte) {
    socket.write(chunk);
    sentBytes += 65_536;
    await sleep(1);
  }
  if (!socket.destroyed) await Promise.race([once(socket, 'close'), sleep(2_000)]);
  socket.destroy();
  return { answer: Buffer.concat(received).toString(), sentBytes };
}

describe('POST /api/v1/uploads/general', () => {
  it('answers 413 to a form without end, and hangs up', async () => {
    const { answer, sentBytes } = await sendEndlessly();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('\r\nConnection: close\r\n');
    expect(answer).toContain('"code":"file_too_large"');
    expect(sentBytes).toBeLessThan(20 * mebibyte);
  });

  it('answers 503 where the picture cannot be stored', async () => {
    await writeFile(join(shop.app.get(Settings).dataDir, 'uploads'), 'a file where the folder should be');
    const raw = formWith(await makePicture('png'));
    const answer = await shop.api.post(path, { token: user.token, raw });
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  });
});

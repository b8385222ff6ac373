import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Settings } from '../../../src/config/settings.js';
import { UploadFile } from '../../../src/store/uploads/upload-file.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { formWith, makePicture } from '../../support/pictures.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/uploads/general';
const mebibyte = 1024 * 1024;

let app: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  user = await insertUser(app);
});
afterAll(() => app.close());

function chunkOf(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

/** Sends an endless form for as long as the service reads it, 40 MiB at most. */
async function sendEndlessly(): Promise<{ answer: string; sentBytes: number }> {
  const { hostname, port } = new URL(app.baseUrl);
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
    sentBytes += 65_536;
    // Counts only what the connection took: what waits in this process was not sent.
    if (socket.write(chunk)) await sleep(1);
    else await Promise.race(['drain', 'data', 'close'].map((event) => once(socket, event).catch(() => null)));
  }
  if (!socket.destroyed) await Promise.race([once(socket, 'close').catch(() => null), sleep(2_000)]);
  socket.destroy();
  return { answer: Buffer.concat(received).toString(), sentBytes };
}

describe('POST /api/v1/uploads/general', () => {
  it('responds with 413 to an endless form, and hangs up', async () => {
    const { answer, sentBytes } = await sendEndlessly();
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('\r\nConnection: close\r\n');
    expect(answer).toContain('"code":"file_too_large"');
    expect(sentBytes).toBeLessThan(20 * mebibyte);
  });
});

/** Sends the beginning of a form with a file, and holds the rest back. */
async function beginForm(bytes: Buffer, token = user.token): Promise<Socket> {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => socket.destroy());
  await once(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: shop\r\nAuthorization: Bearer ${token}\r\n` +
      `Content-Type: multipart/form-data; boundary=x\r\nContent-Length: ${5 * mebibyte}\r\n\r\n` +
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n',
  );
  socket.write(bytes);
  return socket;
}

function openFiles(): number {
  return readdirSync('/dev/fd').length;
}

describe('Forms that stall', () => {
  const megabytes = Buffer.alloc(4 * mebibyte);

  it('take no memory, and block no upload of another user', async () => {
    const other = await insertUser(app);
    const before = process.memoryUsage().rss;
    const sockets = await Promise.all(Array.from({ length: 60 }, () => beginForm(megabytes)));
    await sleep(2_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * mebibyte);
    const answer = await app.api.post(path, { token: other.token, raw: formWith(await makePicture('png')) });
    expect(answer.status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('make way for the same user once their connections have ended', async () => {
    const sockets = await Promise.all(Array.from({ length: 8 }, () => beginForm(megabytes)));
    await sleep(500);
    const upload = app.api.post(path, { token: user.token, raw: formWith(await makePicture('png')) });
    for (const socket of sockets) socket.destroy();
    expect((await upload).status).toBe(200);
  });

  it('are refused beyond a few dozen of one user', async () => {
    const sockets = await Promise.all(Array.from({ length: 40 }, () => beginForm(Buffer.alloc(10))));
    await sleep(500);
    const answer = await app.api.post(path, { token: user.token, raw: formWith(await makePicture('png')) });
    expect(answer).toMatchObject({ status: 429, body: { code: 'busy' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const socket of sockets) socket.destroy();
  });

  it('leave no open file behind, like refused and accepted ones', async () => {
    const before = openFiles();
    const picture = formWith(await makePicture('png'));
    for (let count = 0; count < 5; count++) {
      const socket = await beginForm(megabytes);
      await sleep(50);
      socket.destroy();
      await app.api.post(path, { token: user.token, raw: formWith(Buffer.from('no picture')) });
      await app.api.post(path, { token: user.token, raw: formWith(Buffer.alloc(6 * mebibyte)) });
      await app.api.post(path, { token: user.token, raw: picture });
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
      for (const raw of [part, `${part}\r\n${part}\r\n--x--`, `${part}\r\n--x\r\nnonsense\r\n\r\nabc\r\n--x--`]) {
        await app.api.post(path, { token: user.token, raw, headers });
      }
    }
    await until(() => openFiles() <= before + 3, 'files to be closed');
  });
});

describe('A storage that fails', () => {
  it.each([
    ['ENOSPC', -28, 'write'],
    ['EMFILE', -24, 'open'],
  ])('responds with 503 when the arriving file cannot be written: %s', async (code, errno, syscall) => {
    const fault = Object.assign(new Error(`${code}: refused, ${syscall}`), { code, errno, syscall });
    const receive = jest.spyOn(UploadFile, 'receive').mockRejectedValueOnce(fault);
    const raw = formWith(await makePicture('png'));
    const answer = await app.api.post(path, { token: user.token, raw });
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
    receive.mockRestore();
    expect((await app.api.post(path, { token: user.token, raw })).status).toBe(200);
  });

  it('responds with 503 when the received file cannot be read', async () => {
    const receive = UploadFile.receive.bind(UploadFile);
    const spy = jest.spyOn(UploadFile, 'receive').mockImplementationOnce(async (stream) => {
      const file = await receive(stream);
      await file.close();
      return Object.assign(file, { file: await open(tmpdir()) }); // no folder can be read as a file
    });
    const answer = await app.api.post(path, { token: user.token, raw: formWith(await makePicture('png')) });
    spy.mockRestore();
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  });

  it('responds with 503 when the picture cannot be stored', async () => {
    const folder = join(app.nest.get(Settings).dataDir, 'uploads');
    await rm(folder, { recursive: true, force: true });
    await writeFile(folder, 'a file where the folder should be');
    const raw = formWith(await makePicture('png'));
    const answer = await app.api.post(path, { token: user.token, raw });
    expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } });
  });
});

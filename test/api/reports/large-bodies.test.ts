import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { formOf } from '../../support/report-forms.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/scans/import';
let app: TestApp;
let organization: InsertedOrganization;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp({ env: { IMPORT_MAX_MB: '1' } });
  organization = await insertOrganization(app);
  imports = new Imports(app.api, organization.member.token);
});
afterAll(() => app.close());

const report = JSON.stringify(sarifLog([sarifResult('R1')]));

/** Sends until the response begins; returns the number of bytes sent by then, and the response. */
async function pour(head: string[], piece: string): Promise<{ sent: number; answer: string }> {
  const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const answered: string[] = [];
  socket.on('data', (bytes: Buffer) => answered.push(bytes.toString()));
  const headers = ['Host: x', `Authorization: Bearer ${organization.member.token}`, ...head];
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`);
  let sent = 0;
  const limit = 200 * 2 ** 20;
  while (answered.length === 0 && sent < limit && !socket.destroyed) {
    sent += piece.length;
    if (!socket.write(piece))
      await Promise.race([once(socket, 'drain'), once(socket, 'data'), once(socket, 'close'), sleep(2_000)]);
    else await sleep(0);
  }
  if (answered.length === 0) await Promise.race([once(socket, 'data'), sleep(5_000)]);
  socket.destroy();
  return { sent, answer: answered.join('') };
}

const megabyte = 'x'.repeat(2 ** 20);
const chunk = `${megabyte.length.toString(16)}\r\n${megabyte}\r\n`;

describe('POST /api/v1/scans/import: a body that is too large', () => {
  it('is refused before it is sent when its length is declared', async () => {
    const { sent, answer } = await pour(['Content-Type: application/json', `Content-Length: ${200 * 2 ** 20}`], '');
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"The report is larger than 1 MiB: split it, or raise IMPORT_MAX_MB"/s);
    expect(sent).toBe(0);
  });

  it.each([
    ['sent in chunks', ['Content-Type: application/json', 'Transfer-Encoding: chunked'], chunk],
    ['sent as a form', ['Content-Type: multipart/form-data; boundary=b', 'Transfer-Encoding: chunked'], chunk],
  ])('is refused at once when it is %s', async (_, head, piece) => {
    const { sent, answer } = await pour(head, piece);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(30 * 2 ** 20);
  });

  it('is refused as the file of a form', async () => {
    const { status, body } = await imports.sendForm(formOf(['file', 'x'.repeat(2 ** 20 + 1), 'a.json']));
    expect([status, body]).toMatchObject([413, { code: 'payload_too_large' }]);
    expect((await imports.sendForm(formOf(['file', 'x'.repeat(3 * 2 ** 20), 'a.json']))).status).toBe(413);
  });

  it('is refused when only its decompressed form is too large', async () => {
    const { status } = await imports.send(gzipSync('x'.repeat(20 * 2 ** 20)), '', { 'content-encoding': 'gzip' });
    expect(status).toBe(413);
  });

  it('is refused when only its unzipped form is too large, whatever its type', async () => {
    const bomb = gzipSync(' '.repeat(100 * 2 ** 20));
    for (const type of ['application/gzip', 'application/json']) {
      const { status, body } = await imports.send(bomb, '', { 'content-type': type });
      expect([status, body]).toMatchObject([413, { code: 'payload_too_large' }]);
    }
    expect((await imports.sendForm(formOf(['file', bomb, 'report.gz']))).status).toBe(413);
  });

  it('is accepted up to the limit', async () => {
    const padded = report + ' '.repeat(2 ** 20 - report.length);
    expect((await imports.send(padded)).status).toBe(201);
    expect((await imports.send(`${padded} `)).status).toBe(413);
  });

  it('ends the connection of a client that keeps sending', async () => {
    const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    const headers = `Host: x\r\nAuthorization: Bearer ${organization.member.token}\r\nContent-Length: ${200 * 2 ** 20}`;
    socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    await closed;
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
  });
});

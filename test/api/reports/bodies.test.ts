import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import {
  Imports,
  nucleiLine,
  rowCounts,
  sarifLog,
  sarifResult,
  zapAlert,
  zapReport,
} from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/scans/import';
let shop: TestApp;
let organization: InsertedOrganization;
let imports: Imports;
beforeAll(async () => {
  shop = await startTestApp({ env: { IMPORT_MAX_MB: '1' } });
  organization = await insertOrganization(shop);
  imports = new Imports(shop.api, organization.member.token);
});
afterAll(() => shop.close());

const report = JSON.stringify(sarifLog([sarifResult('R1')]));

function form(...parts: [name: string, content: string | Buffer<ArrayBuffer>, filename?: string][]): FormData {
  const made = new FormData();
  for (const [name, content, filename] of parts) {
    if (filename === undefined) made.append(name, content.toString());
    else made.append(name, new Blob([content]), filename);
  }
  return made;
}

function sendForm(body: FormData): Promise<{ status: number; body: unknown }> {
  return shop.api.post(path, { token: organization.member.token, raw: body });
}

describe('POST /api/v1/scans/import: the body', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/sarif+json',
    'application/x-ndjson',
    'application/jsonl',
    'application/octet-stream',
    'text/plain; charset=UTF-8',
    'text/csv',
    'application/xml',
    'text/xml; charset=utf-8',
    'application/gzip',
    'application/x-gzip',
  ])('is taken as %s', async (type) => {
    expect((await imports.send(report, '', { 'content-type': type })).status).toBe(201);
  });

  it('is taken without a type', async () => {
    const { status } = await shop.api.post(path, { token: organization.member.token, raw: Buffer.from(report) });
    expect(status).toBe(201);
  });

  it.each([
    'application/zip',
    'image/png',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
  ])('is refused with 415 as %s', async (type) => {
    const { status, body } = await imports.send(report, '', { 'content-type': type });
    expect([status, body]).toMatchObject([415, { code: 'unsupported_media_type' }]);
  });

  it.each([
    ['SARIF', report, 1],
    ['lines', `${nucleiLine('a')}\n${nucleiLine('b')}`, 2],
    ['ZAP', JSON.stringify(zapReport([zapAlert('1')])), 1],
  ])('is taken gzipped, whatever it is sent as: %s', async (_, text, findings) => {
    for (const type of ['application/gzip', 'application/octet-stream', 'application/json']) {
      const { status, body } = await imports.send(gzipSync(text), '', { 'content-type': type });
      expect([status, body.findings]).toEqual([201, findings]);
    }
    const { status } = await sendForm(form(['file', gzipSync(text), 'report.gz']));
    expect(status).toBe(201);
  });

  it('is taken gzipped, and compressed on its way', async () => {
    const { status } = await imports.send(gzipSync(gzipSync(report)), '', { 'content-encoding': 'gzip' });
    expect(status).toBe(201);
  });

  it('is taken gzipped in pieces of a byte', async () => {
    const bytes = gzipSync(report);
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Buffer.from([byte]));
        controller.close();
      },
    });
    const { status } = await fetch(shop.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${organization.member.token}`, 'content-type': 'application/gzip' },
      body,
      duplex: 'half',
    });
    expect(status).toBe(201);
  });

  it('is taken compressed', async () => {
    const { status } = await imports.send(gzipSync(report), '', { 'content-encoding': 'gzip' });
    expect(status).toBe(201);
  });

  it('is read piece by piece', async () => {
    const request = httpRequest(shop.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${organization.member.token}`, 'content-type': 'application/json' },
    });
    for (let at = 0; at < report.length; at += 40) {
      request.write(report.slice(at, at + 40));
      await sleep(2);
    }
    request.end();
    const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(201);
  });

  it('is taken with a slash behind the path', async () => {
    const { status } = await shop.api.post(`${path}/`, {
      token: organization.member.token,
      raw: report,
      headers: { 'content-type': 'text/plain' },
    });
    expect(status).toBe(201);
  });
});

describe('POST /api/v1/scans/import in /openapi.json', () => {
  it('takes the report as the body and as a form', async () => {
    type Document = { paths: Record<string, { post: { requestBody: { content: object } } }> };
    const { body } = await shop.api.get<Document>('/openapi.json');
    expect(Object.keys(body.paths[path]?.post.requestBody.content ?? {})).toEqual([
      'application/json',
      'application/sarif+json',
      'application/x-ndjson',
      'application/xml',
      'application/gzip',
      'application/octet-stream',
      'text/plain',
      'multipart/form-data',
    ]);
  });
});

describe('POST /api/v1/scans/import: the form', () => {
  it('carries the report in the field "file"', async () => {
    const { status, body } = await sendForm(
      form(['note', 'x'], ['file', JSON.stringify(zapReport([zapAlert('1')])), 'zap.json']),
    );
    expect([status, body]).toMatchObject([201, { findings: 1, scan: { kind: 'FRONTEND_DAST' } }]);
  });

  it.each([
    ['has no file', form(['note', 'x']), { loc: ['body', 'file'], type: 'missing' }],
    ['has the report in a field without a name', form(['file', report]), { loc: ['body', 'file'], type: 'missing' }],
    [
      'has it under another name',
      form(['report', report, 'a.sarif']),
      { loc: ['body', 'report'], type: 'extra_forbidden' },
    ],
    ['has two', form(['file', report, 'a'], ['file', report, 'b']), { loc: ['body', 'file'], type: 'extra_forbidden' }],
    ['has an empty one', form(['file', '', 'a.sarif']), { loc: ['body'], type: 'missing' }],
  ])('is refused with 422 where it %s', async (_, body, problem) => {
    expect(await sendForm(body)).toMatchObject({ status: 422, body: { detail: [problem] } });
  });

  it.each([
    ['breaks off', '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{"versi'],
    ['is none', 'hello'],
  ])('is refused with 422 where it %s', async (_, raw) => {
    expect((await imports.send(raw, '', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(422);
  });

  it('is refused with 422 where it names no boundary', async () => {
    expect((await imports.send('x', '', { 'content-type': 'multipart/form-data' })).status).toBe(422);
  });
});

/** Sends as much as the service takes, and answers how much that was when the answer came, and the answer's start. */
async function pour(head: string[], piece: string): Promise<{ sent: number; answer: string }> {
  const socket = connect(Number(new URL(shop.baseUrl).port), '127.0.0.1');
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
  it('is refused before it is sent, where its length is declared', async () => {
    const { sent, answer } = await pour(['Content-Type: application/json', `Content-Length: ${200 * 2 ** 20}`], '');
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*"The report is larger than 1 MiB: split it, or raise IMPORT_MAX_MB"/s);
    expect(sent).toBe(0);
  });

  it.each([
    ['sent in chunks', ['Content-Type: application/json', 'Transfer-Encoding: chunked'], chunk],
    ['sent as a form', ['Content-Type: multipart/form-data; boundary=b', 'Transfer-Encoding: chunked'], chunk],
  ])('is refused at once where it is %s', async (_, head, piece) => {
    const { sent, answer } = await pour(head, piece);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(30 * 2 ** 20);
  });

  it('is refused as the file of a form', async () => {
    const { status, body } = await sendForm(form(['file', 'x'.repeat(2 ** 20 + 1), 'a.json']));
    expect([status, body]).toMatchObject([413, { code: 'payload_too_large' }]);
    expect((await sendForm(form(['file', 'x'.repeat(3 * 2 ** 20), 'a.json']))).status).toBe(413);
  });

  it('is refused where it is large only once it is decompressed', async () => {
    const { status } = await imports.send(gzipSync('x'.repeat(20 * 2 ** 20)), '', { 'content-encoding': 'gzip' });
    expect(status).toBe(413);
  });

  it('is refused where it is large only once it is unzipped, whatever lies in it', async () => {
    const bomb = gzipSync(' '.repeat(100 * 2 ** 20));
    for (const type of ['application/gzip', 'application/json']) {
      const { status, body } = await imports.send(bomb, '', { 'content-type': type });
      expect([status, body]).toMatchObject([413, { code: 'payload_too_large' }]);
    }
    expect((await sendForm(form(['file', bomb, 'report.gz']))).status).toBe(413);
  });

  it('is taken up to the limit', async () => {
    const padded = report + ' '.repeat(2 ** 20 - report.length);
    expect((await imports.send(padded)).status).toBe(201);
    expect((await imports.send(`${padded} `)).status).toBe(413);
  });

  it('keeps the connection of who sends on for no longer than the answer takes', async () => {
    const socket = connect(Number(new URL(shop.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = once(socket, 'close');
    const headers = `Host: x\r\nAuthorization: Bearer ${organization.member.token}\r\nContent-Length: ${200 * 2 ** 20}`;
    socket.write(`POST ${path} HTTP/1.1\r\n${headers}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    await closed;
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 .*\r\nConnection: close\r\n/s);
  });
});

describe('POST /api/v1/scans/import: a report that cannot be read', () => {
  const whole = JSON.stringify(sarifLog([sarifResult('R1'), sarifResult('R2')]));

  it.each([
    ['nothing', '', undefined],
    ['blanks', '  \n ', undefined],
    ['no JSON', 'hello', undefined],
    ['XML of another kind', '<?xml version="1.0"?><testsuites/>', undefined],
    ['XML that is cut off', '<?xml version="1.0"?><OWASPZAPReport><site>', undefined],
    ['XML with a document type', '<!DOCTYPE a [<!ENTITY e "x">]><OWASPZAPReport/>', undefined],
    ['gzip that is none', Buffer.from([0x1f, 0x8b, 8, 1, 2, 3]), undefined],
    ['gzip that is cut off', gzipSync(whole).subarray(0, -12), undefined],
    ['gzip within gzip', gzipSync(gzipSync(whole)), undefined],
    ['results that are no array', JSON.stringify(sarifLog({ a: 1 } as never)), undefined],
    [
      'a report that names nothing',
      JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'L' } } }] }),
      undefined,
    ],
    ['a report that is cut off', whole.slice(0, -20), undefined],
    ['a report with something behind it', `${whole}x`, undefined],
    ['another tool’s JSON', '{"results":[],"errors":[]}', undefined],
    ['sites without alerts of ZAP', '{"site":[{"name":"https://a.example"}]}', undefined],
    ['an old SARIF', '{"version":"1.0.0","runs":[]}', undefined],
    ['brackets without end', `{"version":"2.1.0","runs":${'['.repeat(500_000)}`, undefined],
    ['objects without end', '{"a":'.repeat(100_000), undefined],
    ['lines of another tool', '{"level":"info"}\n{"level":"warn"}', undefined],
    ['another format than is named', whole, 'zap-json'],
    ['another format than is named', whole, 'nuclei-jsonl'],
    ['another format than is named', nucleiLine('a'), 'sarif'],
  ])('is refused with 422 and leaves nothing: %s', async (_, text, format) => {
    const before = await rowCounts(shop);
    const { status, body } = await imports.send(text, format === undefined ? '' : `?format=${format}`);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(/"loc":\["(?:body|query)"/)]);
    expect(await rowCounts(shop)).toEqual(before);
  });

  it('is taken where more findings than are named cannot be: they are counted', async () => {
    const results = [sarifResult('Many1'), ...Array.from({ length: 12_000 }, () => ({})), sarifResult('Many2')];
    const { status, body } = await imports.send(JSON.stringify(sarifLog(results)));
    expect(status).toBe(201);
    expect(body).toMatchObject({ findings: 12_002, created: 2, skippedCount: 12_000, cutCount: 0 });
    expect([body.skipped.length, body.skipped[0]?.index, body.skipped.at(-1)?.index]).toEqual([1_000, 1, 1_000]);
  });

  it('is refused with 422 where the request itself breaks off, and leaves nothing', async () => {
    const before = await rowCounts(shop);
    const socket = connect(Number(new URL(shop.baseUrl).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.member.token}\r\nContent-Length: ${whole.length}\r\n\r\n${whole.slice(0, 50)}`,
    );
    await sleep(100);
    socket.destroy();
    await sleep(200);
    expect(await rowCounts(shop)).toEqual(before);
  });
});

describe('POST /api/v1/scans/import: who may', () => {
  it('refuses viewers with 403, strangers with 401', async () => {
    expect((await new Imports(shop.api, organization.viewer.token).send(report)).status).toBe(403);
    expect((await new Imports(shop.api, undefined).send(report)).status).toBe(401);
  });

  it('takes the API key of a member', async () => {
    const key = await organization.key('member');
    expect((await new Imports(shop.api, undefined).send(report, '', { 'x-api-key': key })).status).toBe(201);
  });

  it("answers 404 for another organization's profile, and for none", async () => {
    const other = await insertOrganization(shop);
    const { scan } = await new Imports(shop.api, other.member.token).import(JSON.parse(report) as object);
    const before = await rowCounts(shop);
    for (const id of [scan.applicationId, scan.id]) {
      expect((await imports.send(report, `?profileId=${id}`)).status).toBe(404);
    }
    expect(await rowCounts(shop)).toEqual(before);
  });

  it.each(['?format=xml', '?kind=NOPE', '?profileId=5'])('answers 422 for %s', async (query) => {
    expect((await imports.send(report, query)).status).toBe(422);
  });

  it('keeps what organizations import apart', async () => {
    const [one, other] = [await insertOrganization(shop), await insertOrganization(shop)];
    const [first, second] = [one, other].map(({ member }) => new Imports(shop.api, member.token));
    expect((await first?.import(JSON.parse(report) as object))?.created).toBe(1);
    expect((await second?.import(JSON.parse(report) as object))?.created).toBe(1);
  });
});

import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { formOf } from '../../support/report-forms.js';
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
  ])('is accepted as %s', async (type) => {
    expect((await imports.send(report, '', { 'content-type': type })).status).toBe(201);
  });

  it('is accepted without a type', async () => {
    const { status } = await app.api.post(path, { token: organization.member.token, raw: Buffer.from(report) });
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
  ])('is accepted gzipped whatever its type: %s', async (_, text, findings) => {
    for (const type of ['application/gzip', 'application/octet-stream', 'application/json']) {
      const { status, body } = await imports.send(gzipSync(text), '', { 'content-type': type });
      expect([status, body.findings]).toEqual([201, findings]);
    }
    const { status } = await imports.sendForm(formOf(['file', gzipSync(text), 'report.gz']));
    expect(status).toBe(201);
  });

  it.each([
    ['content-encoding', 'gzip'],
    ['content-type', 'application/gzip'],
  ])('takes a fifth of its bytes on the wire when it is compressed: %s: %s', async (name, value) => {
    const many = Array.from({ length: 1_000 }, (_, at) => sarifResult(`Wire${at % 20}`, `src/${at}.ts`));
    const whole = JSON.stringify(sarifLog(many));
    const sent = gzipSync(whole);
    expect(sent.length).toBeLessThan(whole.length / 5);
    const { status, body } = await imports.send(sent, '', { [name]: value });
    expect([status, body.findings]).toEqual([201, many.length]);
  });

  it('is accepted gzipped and compressed in transit', async () => {
    const { status } = await imports.send(gzipSync(gzipSync(report)), '', { 'content-encoding': 'gzip' });
    expect(status).toBe(201);
  });

  it('is accepted gzipped in pieces of a byte', async () => {
    const bytes = gzipSync(report);
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Buffer.from([byte]));
        controller.close();
      },
    });
    const { status } = await fetch(app.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${organization.member.token}`, 'content-type': 'application/gzip' },
      body,
      duplex: 'half',
    });
    expect(status).toBe(201);
  });

  it('is accepted compressed', async () => {
    const { status } = await imports.send(gzipSync(report), '', { 'content-encoding': 'gzip' });
    expect(status).toBe(201);
  });

  it('is read piece by piece', async () => {
    const request = httpRequest(app.baseUrl + path, {
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

  it('is accepted with a slash after the path', async () => {
    const { status } = await app.api.post(`${path}/`, {
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
    const { body } = await app.api.get<Document>('/openapi.json');
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
  it.each([['before'], ['after']])(
    'carries the report in the field "file", and the parameters %s it',
    async (where) => {
      const file: [string, string, string] = ['file', JSON.stringify(zapReport([zapAlert('1')])), 'zap.json'];
      const fields: [string, string][] = [
        ['asset', `https://${where}.example`],
        ['dryRun', 'true'],
      ];
      const { status, body } = await imports.sendForm(
        formOf(...(where === 'before' ? [...fields, file] : [file, ...fields])),
      );
      const expected = { findings: 1, dryRun: true, assetUris: [`asset://frontend/${where}.example`] };
      expect([status, body]).toMatchObject([201, expected]);
    },
  );

  it.each([
    ['has a field that is no parameter', formOf(['aset', 'x'], ['file', report, 'a']), { loc: ['body', 'aset'] }],
    ['has no file', formOf(['note', 'x']), { loc: ['body', 'file'], type: 'missing' }],
    ['has the report in a field without a name', formOf(['file', report]), { loc: ['body', 'file'], type: 'missing' }],
    [
      'has the report under another name',
      formOf(['report', report, 'a.sarif']),
      { loc: ['body', 'report'], type: 'extra_forbidden' },
    ],
    [
      'has two',
      formOf(['file', report, 'a'], ['file', report, 'b']),
      { loc: ['body', 'file'], type: 'extra_forbidden' },
    ],
    ['has an empty one', formOf(['file', '', 'a.sarif']), { loc: ['body'], type: 'missing' }],
  ])('is refused with 422 when it %s', async (_, body, problem) => {
    expect(await imports.sendForm(body)).toMatchObject({ status: 422, body: { detail: [problem] } });
  });

  it.each([
    ['breaks off', '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n{"versi'],
    ['is none', 'hello'],
  ])('is refused with 422 when it %s', async (_, raw) => {
    expect((await imports.send(raw, '', { 'content-type': 'multipart/form-data; boundary=b' })).status).toBe(422);
  });

  it('is refused with 422 when it names no boundary', async () => {
    expect((await imports.send('x', '', { 'content-type': 'multipart/form-data' })).status).toBe(422);
  });
});

describe('POST /api/v1/scans/import: access', () => {
  it('refuses viewers with 403, strangers with 401', async () => {
    expect((await new Imports(app.api, organization.viewer.token).send(report)).status).toBe(403);
    expect((await new Imports(app.api, undefined).send(report)).status).toBe(401);
  });

  it('takes the API key of a member', async () => {
    const key = await organization.key('member');
    expect((await new Imports(app.api, undefined).send(report, '', { 'x-api-key': key })).status).toBe(201);
  });

  it("responds with 404 for another organization's profile, and for an unknown one", async () => {
    const other = await insertOrganization(app);
    const { scan } = await new Imports(app.api, other.member.token).import(JSON.parse(report) as object);
    const before = await rowCounts(app);
    for (const id of [scan.applicationId, scan.id]) {
      expect((await imports.send(report, `?profileId=${id}`)).status).toBe(404);
    }
    expect(await rowCounts(app)).toEqual(before);
  });

  it.each(['?format=xml', '?kind=NOPE', '?profileId=5'])('responds with 422 for %s', async (query) => {
    expect((await imports.send(report, query)).status).toBe(422);
  });

  it('keeps the imports of organizations apart', async () => {
    const [one, other] = [await insertOrganization(app), await insertOrganization(app)];
    const [first, second] = [one, other].map(({ member }) => new Imports(app.api, member.token));
    expect((await first?.import(JSON.parse(report) as object))?.created).toBe(1);
    expect((await second?.import(JSON.parse(report) as object))?.created).toBe(1);
  });
});

import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports, nucleiLine, rowCounts, sarifLog, sarifResult } from '../../support/report-imports.js';
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
  ])('is refused with 422 and writes nothing: %s', async (_, text, format) => {
    const before = await rowCounts(app);
    const { status, body } = await imports.send(text, format === undefined ? '' : `?format=${format}`);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringMatching(/"loc":\["(?:body|query)"/)]);
    expect(await rowCounts(app)).toEqual(before);
  });

  it('is accepted when more findings are skipped than can be named: they are counted', async () => {
    const results = [sarifResult('Many1'), ...Array.from({ length: 12_000 }, () => ({})), sarifResult('Many2')];
    const { status, body } = await imports.send(JSON.stringify(sarifLog(results)));
    expect(status).toBe(201);
    expect(body).toMatchObject({ findings: 12_002, created: 2, skippedCount: 12_000, cutCount: 0 });
    expect([body.skipped.length, body.skipped[0]?.index, body.skipped.at(-1)?.index]).toEqual([1_000, 1, 1_000]);
  });

  it('writes nothing when the request breaks off', async () => {
    const before = await rowCounts(app);
    const socket = connect(Number(new URL(app.baseUrl).port), '127.0.0.1');
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.member.token}\r\nContent-Length: ${whole.length}\r\n\r\n${whole.slice(0, 50)}`,
    );
    await sleep(100);
    socket.destroy();
    await sleep(200);
    expect(await rowCounts(app)).toEqual(before);
  });
});

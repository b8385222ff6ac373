import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import type { ApiAnswer } from '../../support/api-client.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let other: TestApp['api'];
let organization: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp();
  other = (await app.anotherNode()).api;
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await insertOrganization(app);
});

const report = JSON.stringify(sarifLog([sarifResult('R1')]));

interface SendChoices {
  body?: string | Buffer;
  query?: string;
  api?: TestApp['api'];
}

function send(
  key: string,
  { body = report, query = '', api = app.api }: SendChoices = {},
): Promise<ApiAnswer<ImportResult>> {
  return new Imports(api, organization.member.token).send(body, query, { 'idempotency-key': key });
}

async function scanCount(): Promise<number> {
  const [row] = await app.database.rows<{ count: number }>(
    'SELECT count(*)::int AS count FROM scans WHERE organization_id = $1',
    [organization.id],
  );
  return row?.count ?? 0;
}

describe('POST /api/v1/scans/import with an Idempotency-Key', () => {
  it('returns the same for the same report, gzipped or not, and imports it once', async () => {
    const first = await send('the-key');
    const again = await send('the-key');
    const zipped = await send('the-key', { body: gzipSync(report), api: other });
    expect([first.status, again.status, zipped.status]).toEqual([201, 201, 201]);
    expect([again.body, zipped.body]).toEqual([first.body, first.body]);
    expect(await scanCount()).toBe(1);
  });

  it('refuses a key used with another report or query', async () => {
    await send('taken');
    for (const choices of [{ body: `${report} ` }, { query: '?branch=main' }]) {
      const { status, body } = await send('taken', choices);
      expect([status, JSON.stringify(body)]).toEqual([
        422,
        expect.stringContaining('"loc":["header","idempotency-key"]'),
      ]);
    }
    expect(await scanCount()).toBe(1);
  });

  it('responds with 409 on any node while the first request is running, and with its response afterwards', async () => {
    await send('makes-the-profile');
    const lock = 'SELECT FROM issues WHERE organization_id = $1 FOR UPDATE';
    const held = await HeldTransaction.open(app.database, lock, [organization.id]);
    const first = send('running');
    await held.blocks(1);
    const second = await send('running', { api: other });
    expect([second.status, second.body]).toMatchObject([409, { code: 'request_running' }]);
    await held.commit();
    const { body } = await first;
    expect((await send('running', { api: other })).body.scan.id).toBe(body.scan.id);
    expect(await scanCount()).toBe(2);
  });

  it('imports once for eight concurrent requests over two nodes', async () => {
    const sends = Array.from({ length: 8 }, (_, at) => send('eight', at % 2 === 0 ? {} : { api: other }));
    const answers = await Promise.all(sends);
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(await scanCount()).toBe(1);
  });

  it('keeps no refusal and no dry run: the key works again', async () => {
    expect((await send('again', { body: '{}' })).status).toBe(422);
    expect((await send('again', { query: '?dryRun=true' })).body.dryRun).toBe(true);
    expect((await send('again')).body.created).toBe(1);
  });

  it('belongs to the organization, for 24 hours', async () => {
    const first = await send('daily');
    await app.database.rows(`UPDATE import_keys SET created_at = now() - interval '24 hours 1 second'`);
    const second = await send('daily', { query: '?branch=main' });
    expect(second.body.scan.id).not.toBe(first.body.scan.id);
    expect((await send('daily', { query: '?branch=main' })).body).toEqual(second.body);
    organization = await insertOrganization(app);
    expect((await send('daily')).body.created).toBe(1);
  });
});

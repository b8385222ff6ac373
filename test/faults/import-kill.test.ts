import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportResult } from '../../src/scanning/reports/reports.dto.js';
import { type ApiAnswer, ApiClient } from '../support/api-client.js';
import { HeldTransaction } from '../support/held-transaction.js';
import { type InsertedOrganization, insertOrganization } from '../support/organizations.js';
import { Imports, rowCounts, sarifLog, sarifResult } from '../support/report-imports.js';
import { startNodeProcess } from '../support/service-process.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const results = Array.from({ length: 1_500 }, (_, at) => sarifResult(`R${at}`));
const report = sarifLog(results);

let app: TestApp;
let organization: InsertedOrganization;
let dataDir: string;
let spoolDir: string;
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  dataDir = await mkdtemp(join(tmpdir(), 'store-import-kill-'));
  spoolDir = await mkdtemp(join(tmpdir(), 'store-import-spool-'));
});
afterAll(async () => {
  await app.close();
  for (const folder of [dataDir, spoolDir]) await rm(folder, { recursive: true, force: true });
});

/** Waits until nothing of a killed node is running in the database any more. */
async function settled(): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const [row] = await app.database.rows<{ open: number }>(
      `SELECT count(*)::int AS open FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`,
    );
    if (row?.open === 0) return;
    await sleep(50);
  }
  throw new Error('The transaction of the killed node is still open');
}

/** The import, always with the same Idempotency-Key. */
function sent(api: ApiClient): Promise<ApiAnswer<ImportResult>> {
  const headers = { 'idempotency-key': 'the-key' };
  return new Imports(api, organization.member.token).send(JSON.stringify(report), '', headers);
}

/** Imports at a node that is killed while it waits to write into the table. */
async function killAt(table: string): Promise<void> {
  const node = await startNodeProcess(app, dataDir, { TMPDIR: spoolDir });
  const api = new ApiClient(node.baseUrl, () => undefined);
  const held = await HeldTransaction.open(app.database, `LOCK TABLE ${table} IN SHARE MODE`);
  try {
    const answer = sent(api).then(
      () => 'answered',
      () => 'cut off',
    );
    await held.blocks(1);
    await node.stop('SIGKILL');
    expect(await answer).toBe('cut off');
  } finally {
    await node.stop('SIGKILL');
    await held.commit();
  }
  await settled();
}

describe('An import at a node that is killed', () => {
  it.each(['profiles', 'assets', 'scans', 'issues', 'issue_targets', 'scan_events', 'import_keys'])(
    'leaves nothing of the report, killed at %s',
    async (table) => {
      const before = await rowCounts(app);
      await killAt(table);
      expect(await rowCounts(app)).toEqual(before);
      expect((await readdir(spoolDir)).filter((name) => name.startsWith('store-spool'))).toEqual([]);
    },
  );

  it('can be repeated with the same key, and is then complete and done once', async () => {
    const [first, again] = [await sent(app.api), await sent(app.api)];
    const whole = { findings: results.length, created: results.length, events: results.length + 2 };
    expect([first.status, first.body]).toEqual([201, expect.objectContaining(whole)]);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await rowCounts(app)).toMatchObject({ profiles: 1, assets: 1, scans: 1, issues: results.length });
  });
});

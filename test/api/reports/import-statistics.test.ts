import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { until } from '../../support/receiver.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const findings = 3_000;
const tables = [
  'issues',
  'issue_scans',
  'issue_targets',
  'issue_details',
  'issue_branches',
  'scan_reports',
  'scan_assets',
];

/** A report of which a later one has nine tenths, and as much anew. */
const report = (first: number): string =>
  JSON.stringify(
    sarifLog(
      Array.from({ length: findings }, (_, n) =>
        sarifResult(`rule-${n % 200}`, `src/file-${n % 503}.ts`, { partialFingerprints: { primary: `p${first + n}` } }),
      ),
    ),
  );

let app: TestApp;
let acme: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
});
afterAll(() => app.close());

/** The rows that indexes of the tables have led to since they were last emptied. */
async function rowsRead(): Promise<number> {
  const count = async () => {
    const [row] = await app.database.rows<{ read: string }>(
      `SELECT sum(idx_tup_read) AS read FROM pg_stat_user_indexes WHERE relname = ANY($1)`,
      [tables],
    );
    return Number(row?.read);
  };
  let [before, now] = [-1, await count()];
  await until(async () => {
    [before, now] = [now, await count()];
    return before === now;
  }, 'the counters of all connections');
  return now;
}

/** Analyzes the tables while an import that waits has written its first rows. */
async function countWhileEmpty(): Promise<void> {
  const held = await HeldTransaction.open(app.database, 'SELECT pg_advisory_xact_lock(1)');
  await held.blocks(1);
  await app.database.rows(`ANALYZE ${tables.join(', ')}`);
  const empty = await app.database.rows(
    `SELECT FROM pg_class WHERE oid = 'issues'::regclass AND relpages > 0 AND reltuples = 0`,
  );
  expect(empty).toHaveLength(1);
  await held.commit();
}

/** How many rows it takes to import two reports into empty tables. */
async function rowsForImports(meanwhile: () => Promise<void> = async () => undefined): Promise<number> {
  await app.database.rows(`TRUNCATE ${tables.join(', ')}, issue_activities, scan_events, scans CASCADE`);
  await app.database.rows(`ANALYZE ${tables.join(', ')}`);
  const begun = await rowsRead();
  const imports = new Imports(app.api, acme.member.token);
  const during = meanwhile();
  for (const first of [0, findings / 10]) {
    const { status, body } = await imports.send(report(first), '?branch=main');
    expect({ status, findings: body.findings }).toEqual({ status: 201, findings });
    await during;
  }
  return (await rowsRead()) - begun;
}

describe('An import while PostgreSQL counts its tables', () => {
  it('reads no more rows where they count as empty, since all of their rows are those of imports under way', async () => {
    await app.database.rows(tables.map((table) => `ALTER TABLE ${table} SET (autovacuum_enabled = false)`).join(';'));
    await app.database.rows(`CREATE OR REPLACE FUNCTION wait_for_the_test() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END'`);
    await app.database.rows(
      'CREATE OR REPLACE TRIGGER wait_for_the_test AFTER INSERT ON issues EXECUTE FUNCTION wait_for_the_test()',
    );
    const calm = await rowsForImports();
    const disturbed = await rowsForImports(countWhileEmpty);
    expect(disturbed / calm).toBeLessThan(3);
  }, 300_000);
});

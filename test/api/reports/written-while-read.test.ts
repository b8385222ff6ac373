import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../../support/held-transaction.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports, rowCounts, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let organization: InsertedOrganization;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  imports = new Imports(app.api, organization.member.token);
});
afterAll(() => app.close());

const results = Array.from({ length: 1_200 }, (_, at) => sarifResult(`R${at}`));

describe('POST /api/v1/scans/import of a report that names its asset before its results', () => {
  it('refuses a report that is broken in one of its results before it writes anything', async () => {
    const before = await rowCounts(app);
    const broken = JSON.stringify(sarifLog(results)).replace('"ruleId":"R1150"', '"ruleId":R1150');
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE scans IN SHARE MODE');
    try {
      expect((await imports.send(broken)).status).toBe(422);
    } finally {
      await held.commit();
    }
    expect(await rowCounts(app)).toEqual(before);
  });

  it('has the assets of all results, even if only the last one is on another asset', async () => {
    const page = 'https://shop.example/cart';
    const { created, events, scan } = await imports.import(sarifLog([...results, sarifResult('PAGE', page)]));
    expect([created, events]).toEqual([results.length + 1, results.length + 3]);
    const assets = await app.database.rows<{ name: string; issues: number }>(
      `SELECT a.name, (SELECT count(*)::int FROM issues i WHERE i.asset_id = a.id) AS issues
         FROM assets a JOIN scan_assets s ON s.asset_id = a.id WHERE s.scan_id = $1 ORDER BY a.name`,
      [scan.id],
    );
    expect(assets).toEqual([
      { name: 'https://code.example/acme/shop', issues: results.length },
      { name: 'https://shop.example', issues: 1 },
    ]);
  });

  it('has the one asset that its results are on, even if that is not the repository', async () => {
    const pages = results.map((_, at) => sarifResult(`P${at}`, `https://pages.example/${at}`));
    const { scan } = await imports.import(sarifLog(pages));
    const [row] = await app.database.rows<{ names: string[] }>(
      `SELECT array_agg(a.name) AS names FROM assets a JOIN scan_assets s ON s.asset_id = a.id WHERE s.scan_id = $1`,
      [scan.id],
    );
    expect(row?.names).toEqual(['https://pages.example']);
  });

  it.each(['issues', 'scan_events'])(
    'leaves nothing and answers 503 where its connection is lost at %s, and is then complete when it is repeated',
    async (table) => {
      const before = await rowCounts(app);
      const report = JSON.stringify(sarifLog(results.map((_, at) => sarifResult(`LOST-${table}-${at}`))));
      const held = await HeldTransaction.open(app.database, `LOCK TABLE ${table} IN SHARE MODE`);
      const answer = imports.send(report);
      try {
        await held.blocks(1);
        await app.database.rows(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect((await answer).status).toBe(503);
      } finally {
        await held.commit();
      }
      expect(await rowCounts(app)).toEqual(before);
      expect((await imports.send(report)).body).toMatchObject({ created: results.length, events: results.length + 2 });
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let organization: InsertedOrganization;
let nodes: Imports[];
beforeAll(async () => {
  app = await startTestApp();
  const other = await app.anotherNode();
  organization = await insertOrganization(app);
  nodes = [app.api, other.api].map((api) => new Imports(api, organization.member.token));
});
afterAll(() => app.close());

function atOnce(reports: object[]): Promise<ImportResult[]> {
  return Promise.all(reports.map((report, at) => nodes[at % nodes.length]?.import(report) as Promise<ImportResult>));
}

async function wholeScans(): Promise<{ scan: string; issues: number; events: number }[]> {
  return app.database.rows(
    `WITH e AS MATERIALIZED (SELECT scan_id FROM scan_events WHERE organization_id = $1)
     SELECT s.id AS scan, (SELECT count(*)::int FROM issue_scans i WHERE i.scan_id = s.id) AS issues,
            (SELECT count(*)::int FROM e WHERE e.scan_id = s.id) AS events
       FROM scans s WHERE s.organization_id = $1`,
    [organization.id],
  );
}

/** Units of work are repeated after one: without this, a test of imports that lock in different orders passes, only later. */
async function deadlocks(): Promise<number> {
  const [row] = await app.database.rows<{ deadlocks: string }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(row?.deadlocks);
}

describe('POST /api/v1/scans/import, concurrently on two nodes', () => {
  const results = Array.from({ length: 1_100 }, (_, at) => sarifResult(`R${at}`, `src/f${at % 50}.ts`));

  it('creates each issue of one report once, and every scan completely', async () => {
    const answers = await atOnce(Array.from({ length: 6 }, () => sarifLog(results)));
    expect(answers.map(({ created, seen }) => created + seen)).toEqual(answers.map(() => results.length));
    expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(results.length);
    expect(new Set(answers.map(({ scan }) => scan.applicationId)).size).toBe(1);
    expect((await wholeScans()).map(({ issues, events }) => [issues, events])).toEqual(
      answers.map(() => [results.length, results.length + 2]),
    );
  });

  it('accepts reports of different tools with the same findings, in any order', async () => {
    const before = (await wholeScans()).length;
    const repository = { versionControlProvenance: [{ repositoryUri: 'https://code.example/shop' }] };
    const found = results.map((result) => ({ ...result, level: 'note' }));
    const orders = [found, [...found].reverse(), [...found.slice(500), ...found.slice(0, 500)], found];
    const reports = orders.map((all, at) => sarifLog(all, { ...repository, tool: { driver: { name: `Tool ${at}` } } }));
    const answers = await atOnce(reports);
    expect(answers.reduce((sum, { created }) => sum + created, 0)).toBe(results.length);
    expect((await wholeScans()).length).toBe(before + 4);
    expect(await deadlocks()).toBe(0);
  });
});

import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { dependencyReports } from '../../support/tool-reports/dependency-reports.js';
import { gitLabAndBurpReports } from '../../support/tool-reports/gitlab-and-burp-reports.js';
import { moreSarifReports } from '../../support/tool-reports/more-sarif-reports.js';
import { nucleiReports } from '../../support/tool-reports/nuclei-reports.js';
import { sarifReports } from '../../support/tool-reports/sarif-reports.js';
import { zapToolReports } from '../../support/tool-reports/zap-tool-reports.js';

let app: TestApp;
let organization: InsertedOrganization;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await insertOrganization(app);
  imports = new Imports(app.api, organization.member.token);
});

interface Stored {
  issues: string[];
  assets: string[];
  targets: string[];
}

async function stored(): Promise<Stored> {
  const [row] = await app.database.rows<Stored>(
    `SELECT (SELECT array_agg(security_test_uid || ' ' || severity || ' ' || category || ' ' || status)
               FROM issues WHERE organization_id = $1) AS issues,
            (SELECT array_agg(uri) FROM assets WHERE organization_id = $1) AS assets,
            (SELECT array_agg(target_uid) FROM issue_targets t JOIN issues i ON i.id = t.issue_id
              WHERE i.organization_id = $1) AS targets`,
    [organization.id],
  );
  if (!row) throw new Error('There is nothing');
  return { issues: row.issues.sort(), assets: row.assets.sort(), targets: row.targets.sort() };
}

const reports = [
  ...sarifReports,
  ...moreSarifReports,
  ...zapToolReports,
  ...nucleiReports,
  ...dependencyReports,
  ...gitLabAndBurpReports,
];

describe('POST /api/v1/scans/import of reports as tools write them', () => {
  it.each(reports.map((report) => [report.tool, report] as const))('reads %s', async (_, report) => {
    const { content, query = '', findings, skipped = 0, issues, assets, targets, status = 'FINISHED' } = report;
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    const first = await imports.import(text, query);
    expect(first).toMatchObject({ findings, created: issues.length, skippedCount: skipped, cut: [], scan: { status } });
    expect(await stored()).toEqual({
      issues: issues.map(([test, severity, category, state = 'OPEN']) => [test, severity, category, state].join(' ')),
      assets,
      targets,
    });
    const again = await imports.send(gzipSync(text), query, { 'content-type': 'application/gzip' });
    expect(again.body).toMatchObject({ findings, created: 0, seen: issues.length, skippedCount: skipped });
  });

  it.each(
    [...sarifReports, ...moreSarifReports].filter(({ query }) => query).map(({ tool, content }) => [tool, content]),
  )('refuses %s, which names no repository, without one', async (_, content) => {
    const { status, body } = await imports.send(JSON.stringify(content));
    expect([status, body]).toMatchObject([422, { detail: [{ loc: ['query', 'asset'] }] }]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import { type ChangedReport, changedReports } from '../../support/changed-reports.js';
import { insertOrganization } from '../../support/organizations.js';
import { Imports, rowCounts } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp();
  imports = new Imports(app.api, (await insertOrganization(app)).member.token);
});
afterAll(() => app.close());

async function testsOf({ tools }: ImportResult): Promise<string[]> {
  const rows = await app.database.rows<{ security_test_uid: string }>(
    'SELECT security_test_uid FROM issues JOIN issue_scans s ON s.issue_id = id WHERE s.scan_id = ANY($1)',
    [tools.map(({ scanId }) => scanId)],
  );
  return rows.map(({ security_test_uid }) => security_test_uid);
}

function assertSums(result: ImportResult): void {
  const { findings, created, seen, skipped, skippedCount, cut, cutCount } = result;
  expect(created + seen + skippedCount).toBe(findings);
  expect([skipped.length, cut.length]).toEqual([Math.min(skippedCount, 1_000), Math.min(cutCount, 1_000)]);
  expect([...skipped, ...cut].every(({ reason }) => reason.length > 10)).toBe(true);
  expect(skipped.every(({ index }) => index !== null && index < findings)).toBe(true);
}

async function assertNoneLost({ text, unaffected, mayRefuse }: ChangedReport): Promise<void> {
  const before = await rowCounts(app);
  const { status, body } = await imports.send(text);
  if (status !== 201) {
    expect([status, mayRefuse, body]).toEqual([422, true, body]);
    expect(await rowCounts(app)).toEqual(before);
    return;
  }
  assertSums(body);
  expect(await testsOf(body)).toEqual(expect.arrayContaining(unaffected));
}

// Many more changes are read by the test of the same name in test/unit/scanning/reports.
describe('POST /api/v1/scans/import of a report with one change', () => {
  it.each(changedReports)('loses no other finding, and its numbers add up: %s', async (_, report) => {
    await fc.assert(fc.asyncProperty(report, assertNoneLost), { numRuns: 25 });
  });
});

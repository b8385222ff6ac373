import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { openReport, readReport } from '../../../../src/scanning/reports/read-report.js';
import { SpooledFindings } from '../../../../src/scanning/reports/spooled-findings.js';
import { type ChangedReport, changedReports } from '../../../support/changed-reports.js';
import { bytesOfReport, plainReading } from '../../../support/reports.js';

/** Reads a report as an import does; null if it is refused. */
async function spooled(text: string): Promise<SpooledFindings | null> {
  try {
    const report = await readReport(await openReport(bytesOfReport(text), undefined), plainReading);
    const findings = new SpooledFindings(report, { named: null, fallback: null });
    await findings.whole;
    expect(report.count ?? findings.findings).toBe(findings.findings);
    return findings;
  } catch (error) {
    if (error instanceof Invalid) return null;
    throw error;
  }
}

async function assertNoneLost({ text, unaffected, mayRefuse }: ChangedReport): Promise<void> {
  const findings = await spooled(text);
  if (!findings) {
    expect([text, mayRefuse]).toEqual([text, true]);
    return;
  }
  const tests: (string | undefined)[] = [];
  for await (const batch of findings.batches(findings.assets))
    tests.push(...batch.map((finding) => finding.securityTestUid));
  await findings.close();
  expect(tests.length + findings.skipped.count).toBe(findings.findings);
  expect(tests).toEqual(expect.arrayContaining(unaffected));
}

describe('A report with one change', () => {
  it.each(changedReports)('loses no other finding: %s', async (_, report) => {
    await fc.assert(fc.asyncProperty(report, assertNoneLost), { numRuns: 80 });
  });
});

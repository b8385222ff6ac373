import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Issue } from '../../../src/scanning/issues/issues.dto.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { Imports } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { moreSarifReports } from '../../support/tool-reports/more-sarif-reports.js';
import { nucleiReports } from '../../support/tool-reports/nuclei-reports.js';
import { sarifReports } from '../../support/tool-reports/sarif-reports.js';
import { zapToolReports } from '../../support/tool-reports/zap-tool-reports.js';

/** Reports of real tools, which are not part of the project and may be absent; its own small ones are always tested. */
const folder = join('..', 'shared', 'data', 'reports');
const own = [...sarifReports, ...moreSarifReports, ...zapToolReports, ...nucleiReports];

/** The number of findings and of skipped ones in each report. */
const known: Record<string, { holds: number; skipped: number; severities: Record<string, number> }> = {
  'flawfinder.sarif': { holds: 54, skipped: 1, severities: { HIGH: 2, MEDIUM: 1, LOW: 50 } },
  'security-scan-zap-nuclei.sarif': { holds: 131, skipped: 0, severities: { MEDIUM: 131 } },
  'suppressions.sarif': { holds: 4, skipped: 0, severities: { MEDIUM: 4 } },
  'local-node-app-zap-2.15.0.json': { holds: 19, skipped: 0, severities: { HIGH: 3, MEDIUM: 6, LOW: 5, INFO: 5 } },
  'secureCodeBox-test.jsonl': { holds: 22, skipped: 0, severities: { INFO: 22 } },
  'example-com-test.jsonl': { holds: 27, skipped: 0, severities: { INFO: 26 } },
};

describe('POST /api/v1/scans/import of reports that tools wrote', () => {
  let app: TestApp;
  let organization: InsertedOrganization;
  beforeAll(async () => {
    app = await startTestApp();
    organization = await insertOrganization(app);
  });
  afterAll(() => app.close());

  async function severitiesOf(scanId: string): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const rows = await app.database.rows<Pick<Issue, 'severity'>>(
      'SELECT severity FROM issues JOIN issue_scans s ON s.issue_id = id WHERE s.scan_id = $1',
      [scanId],
    );
    for (const { severity } of rows) counts[severity] = (counts[severity] ?? 0) + 1;
    return counts;
  }

  const given = ['sarif', 'zap-json', 'nuclei-jsonl'].flatMap((format) => {
    const files = existsSync(join(folder, format)) ? readdirSync(join(folder, format)) : [];
    return files.map((file) => {
      // None of them names its repository.
      const asset = format === 'sarif' ? `&asset=${encodeURIComponent(`https://code.example/${file}`)}` : '';
      return { file, text: readFileSync(join(folder, format, file), 'utf8'), query: `?format=${format}${asset}` };
    });
  });
  const ofTheProject = own.map(({ tool, content, query = '?' }) => {
    return { file: tool, text: typeof content === 'string' ? content : JSON.stringify(content), query };
  });

  it.each([...ofTheProject, ...given])(
    'has consistent numbers, and is recognized when repeated: $file',
    async ({ file, text, query }) => {
      const imports = new Imports(app.api, organization.member.token);
      const first = await imports.import(text, query.replace(/format=[^&]*&?/, ''));
      const second = await imports.import(text, query);
      expect(first.created + first.seen + first.skipped.length).toBe(first.findings);
      expect([first.skippedCount, first.cutCount]).toEqual([first.skipped.length, first.cut.length]);
      expect(second).toMatchObject({
        findings: first.findings,
        created: 0,
        seen: first.created + first.seen,
        skipped: first.skipped,
      });
      const expected = known[file];
      if (!expected) return;
      expect([first.findings, first.skipped.length]).toEqual([expected.holds, expected.skipped]);
      expect(await severitiesOf(second.scan.id)).toEqual(expected.severities);
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MakeWriter } from '../../../src/scanning/issue-exports/export-formats.js';
import { sarifExport } from '../../../src/scanning/issue-exports/sarif-export.js';
import { vexExport } from '../../../src/scanning/issue-exports/vex-export.js';
import type { IssueExportRow } from '../../../src/scanning/issues/issue-export-rows.repository.js';
import { issueCategories, issueSeverities, issueStatuses } from '../../../src/scanning/vocabulary.js';
import { insertUser } from '../../support/accounts.js';
import { anyText } from '../../support/any-text.js';
import { withDemoData } from '../../support/demo-template.js';
import { cyclonedxCheck, sarifCheck } from '../../support/export-schemas.js';
import { insertMembership } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type Check = (file: unknown) => void;

let checks: Record<'sarif' | 'cyclonedx-vex', Check>;
let app: TestApp;
beforeAll(async () => {
  checks = { sarif: await sarifCheck(), 'cyclonedx-vex': await cyclonedxCheck() };
  app = await startTestApp(await withDemoData({}));
});
afterAll(() => app.close());

const writers: ['sarif' | 'cyclonedx-vex', MakeWriter][] = [
  ['sarif', sarifExport],
  ['cyclonedx-vex', vexExport],
];

function fileOf(write: MakeWriter, rows: IssueExportRow[]): unknown {
  const writer = write({
    organization: 'Harbour Outfitters',
    madeAt: new Date(0),
    counts: [],
    linkTo: (id) => `https://scans.example.com/console/scanning/issues?issue=${id}`,
  });
  return JSON.parse(writer.head() + rows.map((row) => writer.issue(row)).join('') + writer.tail());
}

const number = fc.oneof(fc.constantFrom(0, -1, 1, 1.5, 1e21, 2 ** 53, 2_147_483_648), fc.nat(1_000));
const text = fc.oneof(
  fc.constantFrom('', ' ', '\u0000', '\ud800', '../a b.ts', 'C:\\src\\a.ts', '//x', 'x'.repeat(5_000)),
  anyText(),
);
const address = fc.oneof(
  fc.constantFrom(
    'https://x.example/a b',
    'https://bücher.example/',
    'javascript:alert(1)',
    'a:b c',
    'http://[',
    'x',
    'mailto:a b',
  ),
  text,
);
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some, { nil: null });
const time = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });

const anyRow: fc.Arbitrary<IssueExportRow> = fc.record({
  id: fc.uuid(),
  name: text,
  fullName: text,
  severity: fc.constantFrom(...issueSeverities),
  category: fc.constantFrom(...issueCategories),
  status: fc.constantFrom(...issueStatuses),
  createdAt: time,
  lastSeenAt: time,
  context: text,
  rule: text,
  ruleName: orNull(text),
  ruleHelp: orNull(address),
  assetId: fc.uuid(),
  assetName: text,
  assetUri: address,
  tool: orNull(text),
  place: orNull(text),
  location: orNull(
    fc.record(
      { path: text, startLine: number, endLine: number, startColumn: number, endColumn: number, url: address },
      { requiredKeys: [] },
    ) as fc.Arbitrary<NonNullable<IssueExportRow['location']>>,
  ),
  identifiers: fc.array(fc.record({ type: fc.constantFrom('CVE', 'CWE', 'GHSA'), value: text })) as fc.Arbitrary<
    IssueExportRow['identifiers']
  >,
  message: orNull(text),
  score: orNull(number),
  settledAt: orNull(time),
  settledBy: orNull(text),
  why: orNull(text),
});

describe('An export', () => {
  it.each(writers)('of any values follows the official schema of %s', (format, write) => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 4 }), (rows) => {
        checks[format](fileOf(write, rows));
      }),
      { numRuns: 300 },
    );
  });

  it.each(['sarif', 'cyclonedx-vex'] as const)('of the demo follows the official schema of %s', async (format) => {
    const sql = `SELECT id FROM organizations WHERE name = 'Harbour Outfitters'`;
    const [organization] = await app.database.rows<{ id: string }>(sql);
    const user = await insertUser(app);
    await insertMembership(app, organization?.id ?? '', user.id, 'viewer');
    const headers = { authorization: `Bearer ${user.token}` };
    const answer = await fetch(`${app.baseUrl}/api/v1/issues/export?format=${format}`, { headers });
    const file = (await answer.json()) as { runs?: { results: unknown[] }[]; vulnerabilities?: unknown[] };
    checks[format](file);
    expect((file.runs?.[0]?.results ?? file.vulnerabilities ?? []).length).toBeGreaterThan(20);
  });

  it('that breaks the schema is noticed', () => {
    expect(() => checks.sarif({ version: '2.1.0', runs: [{ results: [] }] })).toThrow('tool');
    expect(() =>
      checks['cyclonedx-vex']({ bomFormat: 'CycloneDX', specVersion: '1.6', vulnerabilities: [{ cwes: [0] }] }),
    ).toThrow('cwes');
  });
});

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, type QueryConfig } from 'pg';
import type { Issue } from '../../../src/scanning/issues/issues.dto.js';
import { readsOf, type TableRead, walksIn } from '../../support/explain.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import {
  FoundIssues,
  Imports,
  nucleiLine,
  sarifLog,
  sarifResult,
  zapAlert,
  zapReport,
} from '../../support/report-imports.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: InsertedOrganization;
let found: FoundIssues;
let imports: Imports;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  found = new FoundIssues(app.api, acme.member.token);
  imports = new Imports(app.api, acme.member.token);
});
afterAll(() => app.close());

const namesOf = async (query: string) => (await found.list(query)).map(({ name }) => name).sort();
const getIssue = async (id: string) =>
  (await app.api.get<Issue>(`/api/v1/issues/${id}`, { token: acme.member.token })).body;

/** A result of SARIF whose rule has these tags. */
function tagged(ruleId: string, tags: string[]): object {
  return sarifLog([sarifResult(ruleId, 'src/a.ts', { properties: { tags } })]);
}

describe('The identifiers of issues', () => {
  it('find them in every format, in any case, each with its address', async () => {
    await imports.import(tagged('sarif-rule', ['external/cwe/cwe-079', 'CVE-2021-44228', 'GHSA-jfh8-c2jp-5v3q']));
    const classification = { 'cve-id': ['cve-2021-44228'], 'cwe-id': ['cwe-502'] };
    await imports.import(
      nucleiLine('log4shell', { info: { name: 'log4shell', severity: 'critical', classification } }),
    );
    await imports.import(zapReport([zapAlert('40012', { wascid: '8' })]));
    const sarif = (await found.list('&identifier=GHSA-JFH8-C2JP-5V3Q')).map(({ name }) => name);
    expect(sarif).toHaveLength(1);
    expect(await namesOf('&identifier=CVE-2021-44228')).toEqual([...sarif, 'log4shell'].sort());
    expect(await namesOf('&identifier=cve-2021-44228')).toHaveLength(2);
    expect(await namesOf('&identifier=CWE-79')).toEqual([...sarif, 'Alert 40012'].sort());
    expect(await namesOf('&identifier=wasc-8')).toEqual(['Alert 40012']);
    expect(await namesOf('&identifier=CWE-502,WASC-8')).toEqual(['Alert 40012', 'log4shell']);
    expect(await namesOf('&identifier=CVE-2021-44228&severities=CRITICAL')).toEqual(['log4shell']);
    expect(await namesOf('&identifier=CVE-2021-4422')).toEqual([]);
    const { identifiers } = await found.named('log4shell');
    expect(identifiers).toEqual([
      { type: 'CWE', value: 'CWE-502', url: 'https://cwe.mitre.org/data/definitions/502.html' },
      { type: 'CVE', value: 'CVE-2021-44228', url: 'https://nvd.nist.gov/vuln/detail/CVE-2021-44228' },
    ]);
  });

  it('follow the newest report', async () => {
    await imports.import(tagged('changing', ['CVE-2020-1111', 'CVE-2020-2222']));
    const [issue] = await found.list('&identifier=CVE-2020-1111');
    await imports.import(tagged('changing', ['CVE-2020-2222', 'CVE-2020-3333']));
    expect(await found.list('&identifier=CVE-2020-1111')).toEqual([]);
    for (const cve of ['CVE-2020-2222', 'CVE-2020-3333']) {
      expect((await found.list(`&identifier=${cve}`)).map(({ id }) => id)).toEqual([issue?.id]);
    }
  });

  it('are bounded, and those beyond are named', async () => {
    const many = Array.from({ length: 4_000 }, (_, at) => `CVE-2019-${10_000 + at}`);
    const { cut } = await imports.import(sarifLog([sarifResult('many', 'src/many.ts', { properties: { many } })]));
    expect(JSON.stringify(cut)).toContain('nly the first 100 of 4000 identifiers are kept');
    const [issue] = await found.list('&identifier=CVE-2019-10000');
    expect((await getIssue(issue?.id ?? '')).identifiers).toHaveLength(100);
    expect(await found.list('&identifier=CVE-2019-13999')).toEqual([]);
  });

  it("are another organization's own, and go with their issue", async () => {
    await imports.import(tagged('going', ['CVE-2018-7777']));
    const other = await insertOrganization(app);
    expect(await new FoundIssues(app.api, other.member.token).list('&identifier=CVE-2018-7777')).toEqual([]);
    const rows = () => app.database.rows(`SELECT FROM issue_identifiers WHERE value = 'CVE-2018-7777'`);
    expect(await rows()).toHaveLength(1);
    const [issue] = await found.list('&identifier=CVE-2018-7777');
    await app.database.rows('DELETE FROM issues WHERE id = $1', [issue?.id]);
    expect(await rows()).toHaveLength(0);
  });

  it.each([`identifier=${'a'.repeat(501)}`, `rule=${Array(51).fill('a').join(',')}`])('refuse %s', async (query) => {
    const { status } = await app.api.get(`/api/v1/issues?${query}`, { token: acme.member.token });
    expect(status).toBe(422);
  });
});

describe('Lists of 40,000 issues', () => {
  let busy: InsertedOrganization;
  beforeAll(async () => {
    busy = await insertOrganization(app);
    const asset = await new ScanningRows(app, busy.id).asset();
    await app.database.rows(
      `INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                           security_test_uid, identity, created_at)
       SELECT gen_random_uuid(), $1, $2, 'n' || n, 'n', 'LOW', 'CUSTOM', 'OPEN', 'a', 'rule-' || n % 2000, 'i' || n,
              now() - n * interval '1 minute'
         FROM generate_series(1, 40000) AS n`,
      [busy.id, asset],
    );
    await app.database.rows(
      `INSERT INTO issue_details (issue_id, detail)
       SELECT id, json_build_object('identifiers', json_build_array(
                json_build_object('type', 'CVE', 'value', 'CVE-2020-' || substr(identity, 2)),
                json_build_object('type', 'CWE', 'value', 'CWE-79')))
         FROM issues WHERE organization_id = $1`,
      [busy.id],
    );
    await app.database.rows('VACUUM ANALYZE issues, issue_identifiers, issue_details');
  });

  /** How the list reads tables, by the statement that the service sends. */
  async function readsFor(query: string): Promise<TableRead[]> {
    const sent = jest.spyOn(Client.prototype, 'query');
    const { status, body } = await app.api.get<{ data: object[] }>(`/api/v1/issues?${query}`, {
      token: busy.member.token,
    });
    expect([status, body.data.length > 0]).toEqual([200, true]);
    const calls = sent.mock.calls.map(([first]) => first as string | QueryConfig);
    sent.mockRestore();
    const list = calls.filter(
      (one): one is QueryConfig => typeof one !== 'string' && one.text.includes('FROM issues i'),
    );
    expect(list).toHaveLength(1);
    return readsOf(app.database, list[0]?.text ?? '', list[0]?.values ?? []);
  }

  const entriesOf = (reads: TableRead[], table: string) =>
    reads
      .filter((read) => read['Relation Name'] === table)
      .reduce((sum, { 'Actual Rows': rows, 'Actual Loops': loops }) => sum + rows * loops, 0);

  it.each([
    ['of a rare identifier', 'identifier=CVE-2020-30000', 10],
    ['of an identifier that all have', 'identifier=CWE-79&size=20', 200],
    ['of a rule', 'rule=rule-1234&size=10', 20],
  ])('read few rows where they are %s', async (_what, query, most) => {
    const reads = await readsFor(query);
    expect(walksIn(reads).filter((read) => read['Relation Name'].startsWith('issue'))).toEqual([]);
    expect(entriesOf(reads, 'issues')).toBeLessThanOrEqual(most);
    expect(entriesOf(reads, 'issue_identifiers')).toBeLessThanOrEqual(most);
  });
});

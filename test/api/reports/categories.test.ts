import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IssueActivity } from '../../../src/scanning/issues/issues.shapes.js';
import type { ImportResult } from '../../../src/scanning/reports/reports.shapes.js';
import type { ScanIssues } from '../../../src/scanning/reports/scan-issues.shapes.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { FoundIssues, Imports, sarifLog, sarifResult } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let organization: InsertedOrganization;
let imports: Imports;
let issues: FoundIssues;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await insertOrganization(app);
  imports = new Imports(app.api, organization.member.token);
  issues = new FoundIssues(app.api, organization.viewer.token);
});

function reportOf(...rules: string[]): object {
  return sarifLog(rules.map((rule) => sarifResult(rule)));
}

async function statuses(): Promise<Record<string, string>> {
  return Object.fromEntries((await issues.list()).map(({ name, status }) => [name, status]));
}

function goneOf({ issues: listed }: ImportResult): string[] {
  return listed.filter(({ outcome }) => outcome === 'GONE').map(({ name }) => name);
}

const main = '?branch=main&resolveGone=true';

describe('POST /api/v1/scans/import?category=', () => {
  it('parts the runs of one tool on one asset and branch', async () => {
    await imports.import(reportOf('in front', 'fixed'), `${main}&category=front`);
    await imports.import(reportOf('in back'), `${main}&category=back`);
    expect(await statuses()).toEqual({ 'in front': 'OPEN', fixed: 'OPEN', 'in back': 'OPEN' });
    const again = await imports.import(reportOf('in front'), `${main}&category=front`);
    expect([goneOf(again), again.tool, again.category]).toEqual([['fixed'], 'Lint', 'front']);
    expect(await statuses()).toEqual({ 'in front': 'OPEN', fixed: 'RESOLVED', 'in back': 'OPEN' });
    const { id } = await issues.named('fixed');
    const { body } = await app.api.get<{ data: IssueActivity[] }>(`/api/v1/issues/${id}/activities`, {
      token: organization.viewer.token,
    });
    expect(body.data[0]?.comment).toBe('No longer in the report of Lint (front) of main');
  });

  it('leaves what a report of another category still has', async () => {
    await imports.import(reportOf('shared', 'own'), `${main}&category=front`);
    await imports.import(reportOf('shared'), `${main}&category=back`);
    expect(goneOf(await imports.import(reportOf(), `${main}&category=front`))).toEqual(['own']);
    expect(await statuses()).toEqual({ shared: 'OPEN', own: 'RESOLVED' });
  });

  it('is that of the automation id where left out, and goes before it where given', async () => {
    const ofReport = { automationDetails: { id: 'front/2026-11-24' } };
    const named = await imports.import(sarifLog([sarifResult('one'), sarifResult('two')], ofReport), main);
    expect(named.category).toBe('front');
    const given = await imports.import(sarifLog([sarifResult('one')]), `${main}&category=front/`);
    expect([given.category, goneOf(given)]).toEqual(['front', ['two']]);
    const other = await imports.import(sarifLog([], ofReport), `${main}&category=back`);
    expect([other.category, goneOf(other)]).toEqual(['back', []]);
    expect((await imports.import(reportOf(), '?branch=feature')).category).toBeNull();
  });

  it('takes the place of the reports without a category of before its first one, and of no later ones', async () => {
    await imports.import(reportOf('old', 'kept'), main);
    await imports.import(reportOf('old', 'kept'), `${main}&category=front`);
    const fixed = await imports.import(reportOf('kept'), `${main}&category=front`);
    expect(goneOf(fixed)).toEqual(['old']);
    const token = organization.viewer.token;
    const compared = await app.api.get<ScanIssues>(`/api/v1/scans/${fixed.scan.id}/issues`, { token });
    expect(compared.body.gone?.issues.map(({ name }) => name)).toEqual(['old']);
    await imports.import(reportOf('kept'), main);
    expect(goneOf(await imports.import(reportOf(), `${main}&category=front`))).toEqual([]);
  });
});

describe('POST /api/v1/scans/import: which issues are listed', () => {
  const many = (severity: 'error' | 'note', count: number, name: string) =>
    Array.from({ length: count }, (_, at) => sarifResult(`${name} ${at}`, 'src/a.ts', { level: severity }));
  const listed = ({ issues: all }: ImportResult, severity: string) => all.filter((one) => one.severity === severity);

  it('names what is known and severe, however much is new', async () => {
    await imports.import(reportOf('old'), '?branch=main');
    const answer = await imports.import(sarifLog([...many('note', 201, 'new'), sarifResult('old')]), '?branch=main');
    expect(listed(answer, 'HIGH')).toMatchObject([{ name: 'old', outcome: 'SEEN' }]);
    expect(answer.issues).toHaveLength(201);
  });

  it('names what is unmerged, however much is known and severe', async () => {
    const known = many('error', 201, 'known');
    await imports.import(sarifLog(known), '?branch=main');
    const report = sarifLog([...known, sarifResult('own')]);
    await imports.import(report, '?branch=feature');
    const answer = await imports.import(report, '?branch=feature');
    expect(answer.issues.filter(({ unmerged }) => unmerged).map(({ name }) => name)).toEqual(['own']);
    expect(answer.issues[0]?.name).toBe('own');
  });

  it('names some of every severity, and what is left however much is gone', async () => {
    await imports.import(sarifLog(many('error', 230, 'gone')), '?branch=main');
    await imports.import(sarifLog(many('error', 230, 'known')), '?branch=main');
    const results = [...many('error', 230, 'known'), ...many('note', 30, 'small')];
    const answer = await imports.import(sarifLog(results), '?branch=main');
    expect(listed(answer, 'LOW')).toHaveLength(30);
    const again = await imports.import(sarifLog(results), '?branch=main');
    expect(listed(again, 'LOW')).toHaveLength(20);
    expect(again.issues.filter(({ outcome }) => outcome === 'SEEN')).toHaveLength(220);
    expect(again.bySeverity.seen).toMatchObject({ HIGH: 230, LOW: 30 });
  });
});

import { describe, expect, it } from '@jest/globals';
import type { IssueActivity } from '../../../src/scanning/issues/issues.dto.js';
import type { ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import type { ScanIssues } from '../../../src/scanning/reports/scan-issues.dto.js';
import { sarifLog, sarifResult } from '../../support/report-imports.js';
import { goneOf, importScene, reportOf } from './import-scene.js';

const scene = importScene();

const main = '?branch=main&resolveGone=true';
/** Of a run over the sources of something else. */
const elsewhere = { versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/other' }] };
const byOther = { tool: { driver: { name: 'Other' } } };

describe('POST /api/v1/scans/import?category=', () => {
  it('separates the runs of one tool on one asset and branch', async () => {
    await scene.imports.import(reportOf('in front', 'fixed'), `${main}&category=front`);
    await scene.imports.import(reportOf('in back'), `${main}&category=back`);
    expect(await scene.statuses()).toEqual({ 'in front': 'OPEN', fixed: 'OPEN', 'in back': 'OPEN' });
    const again = await scene.imports.import(reportOf('in front'), `${main}&category=front`);
    expect([goneOf(again), again.tool, again.category]).toEqual([['fixed'], 'Lint', 'front']);
    expect(await scene.statuses()).toEqual({ 'in front': 'OPEN', fixed: 'RESOLVED', 'in back': 'OPEN' });
    const { id } = await scene.issues.named('fixed');
    const { body } = await scene.app.api.get<{ data: IssueActivity[] }>(`/api/v1/issues/${id}/activities`, {
      token: scene.organization.viewer.token,
    });
    expect(body.data[0]?.comment).toBe('No longer in the report of Lint (front) of main');
  });

  it.each([main, '?resolveGone=true'])('leaves what a report of another category still has: %s', async (query) => {
    const imported = async (category: string, ...names: string[]) =>
      goneOf(await scene.imports.import(reportOf(...names), `${query}&category=${category}`));
    await imported('front', 'shared', 'own');
    await imported('back', 'shared');
    await scene.imports.import(sarifLog([], elsewhere), `${query}&category=back`);
    expect(await imported('front')).toEqual(['own']);
    for (const category of ['front', 'back']) expect(await imported(category, 'shared')).toEqual([]);
    expect(await imported('back')).toEqual([]);
    expect(await scene.statuses()).toEqual({ shared: 'OPEN', own: 'RESOLVED' });
    expect(await imported('front')).toEqual(['shared']);
  });

  it('leaves, of a report without a branch, what the default branch still has, and no other branch', async () => {
    await scene.imports.import(reportOf('main', 'fix'), '?category=front');
    await scene.imports.import(reportOf('main'), `${main}&category=back`);
    await scene.imports.import(reportOf('fix'), '?branch=fix&category=back');
    expect(goneOf(await scene.imports.import(reportOf(), '?category=front'))).toEqual(['fix']);
  });

  it('defaults to that of the automation id, and takes precedence when given', async () => {
    const ofReport = { automationDetails: { id: 'front/2026-11-24' } };
    const named = await scene.imports.import(sarifLog([sarifResult('one'), sarifResult('two')], ofReport), main);
    expect(named.category).toBe('front');
    const given = await scene.imports.import(sarifLog([sarifResult('one')]), `${main}&category=front/`);
    expect([given.category, goneOf(given)]).toEqual(['front', ['two']]);
    const other = await scene.imports.import(sarifLog([], ofReport), `${main}&category=back`);
    expect([other.category, goneOf(other)]).toEqual(['back', []]);
    expect((await scene.imports.import(reportOf(), '?branch=feature')).category).toBeNull();
  });

  it('replaces the reports without a category that came before its first one, but no later ones', async () => {
    await scene.imports.import(reportOf('old', 'kept'), main);
    await scene.imports.import(reportOf('old', 'kept'), `${main}&category=front`);
    const fixed = await scene.imports.import(reportOf('kept'), `${main}&category=front`);
    expect(goneOf(fixed)).toEqual(['old']);
    const token = scene.organization.viewer.token;
    const compared = await scene.app.api.get<ScanIssues>(`/api/v1/scans/${fixed.scan.id}/issues`, { token });
    expect(compared.body.gone?.issues.map(({ name }) => name)).toEqual(['old']);
    await scene.imports.import(reportOf('kept'), main);
    expect(goneOf(await scene.imports.import(reportOf(), `${main}&category=front`))).toEqual([]);
  });

  it('replaces no report of another tool, or of another category', async () => {
    await scene.imports.import(sarifLog([sarifResult('of both')], byOther), main);
    await scene.imports.import(reportOf('of back'), `${main}&category=back`);
    await scene.imports.import(reportOf('of both', 'of back'), `${main}&category=front`);
    expect(goneOf(await scene.imports.import(reportOf(), `${main}&category=front`))).toEqual([]);
  });
});

describe('POST /api/v1/scans/import: which issues are listed', () => {
  const many = (severity: 'error' | 'note', count: number, name: string) =>
    Array.from({ length: count }, (_, at) => sarifResult(`${name} ${at}`, 'src/a.ts', { level: severity }));
  const listed = ({ issues: all }: ImportResult, severity: string) => all.filter((one) => one.severity === severity);

  it('lists severe known issues, however many are new', async () => {
    await scene.imports.import(reportOf('old'), '?branch=main');
    const answer = await scene.imports.import(
      sarifLog([...many('note', 201, 'new'), sarifResult('old')]),
      '?branch=main',
    );
    expect(listed(answer, 'HIGH')).toMatchObject([{ name: 'old', outcome: 'SEEN' }]);
    expect(answer.issues).toHaveLength(201);
  });

  it('lists issues new to the branch, however many severe ones are known', async () => {
    const known = many('error', 201, 'known');
    await scene.imports.import(sarifLog(known), '?branch=main');
    const report = sarifLog([...known, sarifResult('own')]);
    await scene.imports.import(report, '?branch=feature');
    const answer = await scene.imports.import(report, '?branch=feature');
    expect(answer.issues.filter(({ unmerged }) => unmerged).map(({ name }) => name)).toEqual(['own']);
    expect(answer.issues[0]?.name).toBe('own');
  });

  it('lists some of every severity, and some that remain however many are gone', async () => {
    await scene.imports.import(sarifLog(many('error', 230, 'gone')), '?branch=main');
    await scene.imports.import(sarifLog(many('error', 230, 'known')), '?branch=main');
    const results = [...many('error', 230, 'known'), ...many('note', 30, 'small')];
    const answer = await scene.imports.import(sarifLog(results), '?branch=main');
    expect(listed(answer, 'LOW')).toHaveLength(30);
    const again = await scene.imports.import(sarifLog(results), '?branch=main');
    expect(listed(again, 'LOW')).toHaveLength(20);
    expect(again.issues.filter(({ outcome }) => outcome === 'SEEN')).toHaveLength(220);
    expect(again.bySeverity.seen).toMatchObject({ HIGH: 230, LOW: 30 });
  });
});

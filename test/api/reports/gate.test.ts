import { describe, expect, it } from '@jest/globals';
import type { IssueActivity } from '../../../src/scanning/issues/issues.dto.js';
import type { ImportedIssuePage, ImportResult } from '../../../src/scanning/reports/reports.dto.js';
import { rowCounts, sarifLog, sarifResult, zapAlert, zapReport } from '../../support/report-imports.js';
import { listenTo } from '../../support/workflow-triggers.js';
import { goneOf, importScene, reportOf } from './import-scene.js';

const scene = importScene();

/** Of a run over the sources of something else. */
const elsewhere = { versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/other' }] };
const none = { CRITICAL: 0, HIGH: 0, MEDIUM: 0, LOW: 0, INFO: 0 };

async function triage(name: string, json: object): Promise<void> {
  const { id } = await scene.issues.named(name);
  await scene.app.api.patch(`/api/v1/issues/${id}`, { token: scene.organization.member.token, json });
}

describe('POST /api/v1/scans/import: what became of the issues', () => {
  it('counts new, known, reopened and gone issues by severity and rule', async () => {
    await scene.imports.import(reportOf('known', 'fixed', 'back'), '?branch=main');
    await triage('back', { status: 'RESOLVED' });
    const low = sarifResult('new', 'src/b.ts', { level: 'note' });
    const known = [sarifResult('known'), sarifResult('back')];
    const answer = await scene.imports.import(sarifLog([low, ...known]), '?branch=main');
    expect(answer.bySeverity).toEqual({
      created: { ...none, LOW: 1 },
      seen: { ...none, HIGH: 1 },
      unmerged: none,
      reopened: { ...none, HIGH: 1 },
      gone: { ...none, HIGH: 1 },
      setAside: none,
    });
    const zero = { created: 0, seen: 0, unmerged: 0, reopened: 0, gone: 0 };
    expect(answer.byRule).toEqual([
      { ...zero, rule: 'back', severity: 'HIGH', reopened: 1 },
      { ...zero, rule: 'fixed', severity: 'HIGH', gone: 1 },
      { ...zero, rule: 'known', severity: 'HIGH', seen: 1 },
      { ...zero, rule: 'new', severity: 'LOW', created: 1 },
    ]);
    expect(answer.issues.map(({ outcome, name, place }) => [outcome, name, place])).toEqual([
      ['REOPENED', 'back', 'src/a.ts'],
      ['CREATED', 'new', 'src/b.ts'],
      ['SEEN', 'known', 'src/a.ts'],
      ['GONE', 'fixed', 'src/a.ts'],
    ]);
    expect(answer.createdIds).toEqual([answer.issues[1]?.id]);
    expect(answer).toMatchObject({ branch: 'main', dryRun: false, resolved: 0, goneUnknown: null });
  });

  it('leaves out issues suppressed in the code or by a person, and counts by the severity that a person set', async () => {
    await scene.imports.import(reportOf('ignored', 'lowered'));
    await triage('ignored', { status: 'IGNORED' });
    await triage('lowered', { severity: 'INFO' });
    const suppressed = sarifResult('suppressed', 'src/c.ts', { suppressions: [{ kind: 'inSource' }] });
    const answer = await scene.imports.import(sarifLog([suppressed, sarifResult('ignored'), sarifResult('lowered')]));
    expect(answer.bySeverity).toMatchObject({
      created: none,
      seen: { ...none, INFO: 1 },
      setAside: { ...none, HIGH: 2 },
    });
    expect([answer.created, answer.createdIds.length]).toEqual([1, 1]);
  });
});

describe('POST /api/v1/scans/import: an issue new to a branch', () => {
  const newTo = ({ issues: listed }: ImportResult): string[] =>
    listed.filter(({ outcome, unmerged }) => outcome !== 'SEEN' || unmerged).map(({ name }) => name);

  it('stays new however often it is imported, until the default branch has it', async () => {
    await scene.imports.import(reportOf('old'), '?branch=main');
    for (const times of [1, 2]) {
      const answer = await scene.imports.import(reportOf('old', 'own'), '?branch=feature');
      expect([times, newTo(answer)]).toEqual([times, ['own']]);
      expect(answer.bySeverity.unmerged.HIGH).toBe(times - 1);
    }
    expect(newTo(await scene.imports.import(reportOf('old', 'own'), '?branch=main'))).toEqual([]);
    expect(newTo(await scene.imports.import(reportOf('old', 'own'), '?branch=feature'))).toEqual([]);
  });

  it('is one that the newest report of the default branch lacks, whatever earlier ones had', async () => {
    await scene.imports.import(reportOf('back'), '?branch=main');
    await scene.imports.import(reportOf(), '?branch=main&resolveGone=true');
    const back = '?branch=feature&defaultBranch=main';
    expect(newTo(await scene.imports.import(reportOf('back'), back))).toEqual(['back']);
    expect(newTo(await scene.imports.import(reportOf('back'), back))).toEqual(['back']);
  });

  it('is found by comparison with the other branches when the default one has no report', async () => {
    await scene.imports.import(reportOf('old'), '?branch=one');
    for (const times of [1, 2]) {
      const answer = await scene.imports.import(reportOf('old', 'own'), '?branch=two');
      expect([times, newTo(answer)]).toEqual([times, ['own']]);
    }
  });

  it('is one that the default branch lacks, whatever other branches have', async () => {
    await scene.imports.import(reportOf('old'), '?branch=main');
    await scene.imports.import(reportOf('old', 'own'), '?branch=one');
    expect(newTo(await scene.imports.import(reportOf('old', 'own'), '?branch=two'))).toEqual(['own']);
  });

  it('is none that only an incomplete report of the default branch lacks, or one of another asset', async () => {
    await scene.imports.import(reportOf('old'), '?branch=main');
    await scene.imports.import(sarifLog([7 as never]), '?branch=main');
    await scene.imports.import(sarifLog([], elsewhere), '?branch=main');
    expect(newTo(await scene.imports.import(reportOf('old'), '?branch=feature'))).toEqual([]);
  });

  it('is none that a person set aside, unlike what the default branch has fixed', async () => {
    const wrong = sarifResult('wrong', 'src/a.ts', { level: 'note' });
    await scene.imports.import(sarifLog([wrong, sarifResult('fixed')]), '?branch=main');
    await scene.imports.import(sarifLog([wrong]), '?branch=main&resolveGone=true');
    await triage('wrong', { status: 'IGNORED' });
    const answer = await scene.imports.import(sarifLog([wrong, sarifResult('fixed')]), '?branch=feature');
    expect(answer.issues).toMatchObject([{ name: 'fixed', outcome: 'SEEN', unmerged: true }]);
    expect(answer.bySeverity.setAside).toEqual({ ...none, LOW: 1 });
  });
});

describe('POST /api/v1/scans/import: the first report', () => {
  it('is the first whole one of its tool, branch and asset', async () => {
    const isFirst = async (report: object, query = '?branch=main') =>
      (await scene.imports.import(report, query)).tools[0]?.first;
    expect(await isFirst(sarifLog([7 as never]))).toBe(true);
    expect([await isFirst(reportOf()), await isFirst(reportOf())]).toEqual([true, false]);
    expect(await isFirst(reportOf(), '?branch=feature')).toBe(true);
    expect(await isFirst(sarifLog([], elsewhere))).toBe(true);
    expect(await isFirst(sarifLog([], { tool: { driver: { name: 'Other' } } }))).toBe(true);
    await scene.renew();
    expect(await isFirst(reportOf())).toBe(true);
  });
});

describe('POST /api/v1/scans/import?list=true', () => {
  it.each([
    ['an import', ''],
    ['a dry run', '&dryRun=true'],
  ])('lists all issues of %s, 500 a page, the most severe first', async (_what, more) => {
    const names = Array.from({ length: 501 }, (_, at) => `new ${String(at).padStart(3, '0')}`);
    const isHigh = (_name: string, at: number) => at % 2 === 0;
    const results = names.map((name, at) =>
      sarifResult(name, 'src/a.ts', { level: isHigh(name, at) ? 'error' : 'note' }),
    );
    await scene.imports.import(reportOf('known', 'fixed'), '?branch=main');
    const report = sarifLog([...results, sarifResult('known')]);
    const { scan } = await scene.imports.import(report, `?branch=main&list=true${more}`);
    const page = async (query = '') => {
      const { token } = scene.organization.viewer;
      return (await scene.app.api.get<ImportedIssuePage>(`/api/v1/imports/${scan.id}/issues${query}`, { token })).body;
    };
    const first = await page();
    const second = await page(`?cursor=${first.nextCursor}`);
    expect([first.data.length, second.data.length, second.nextCursor]).toEqual([500, 3, null]);
    const low = names.filter((name, at) => !isHigh(name, at));
    expect([...first.data, ...second.data].map(({ outcome, name }) => [outcome, name])).toEqual([
      ...[...names.filter(isHigh), ...low].map((name) => ['CREATED', name]),
      ['SEEN', 'known'],
      ['GONE', 'fixed'],
    ]);
  });
});

describe('POST /api/v1/scans/import?resolveGone=true', () => {
  it('resolves gone issues as the system, and triggers ISSUE_UPDATED once with all changed issues', async () => {
    await scene.imports.import(reportOf('one', 'two', 'three'), '?branch=main');
    await listenTo(scene.app, scene.organization.id, 'ISSUE_UPDATED');
    const lowered = sarifLog([sarifResult('three', 'src/a.ts', { level: 'note' })]);
    const answer = await scene.imports.import(lowered, '?branch=main&commit=abc123&resolveGone=true');
    expect([goneOf(answer), answer.resolved]).toEqual([['one', 'two'], 2]);
    expect(await scene.statuses()).toEqual({ one: 'RESOLVED', two: 'RESOLVED', three: 'OPEN' });
    const changed = (await scene.issues.list()).map(({ id }) => id).sort();
    const fired = await scene.fired();
    expect(fired.map(({ type, subjects }) => [type, subjects.sort()])).toEqual([['ISSUE_UPDATED', changed]]);
    const { id } = await scene.issues.named('one');
    const token = scene.organization.viewer.token;
    const { body } = await scene.app.api.get<{ data: IssueActivity[] }>(`/api/v1/issues/${id}/activities`, { token });
    expect(body.data[0]).toMatchObject({
      kind: 'STATUS',
      from: 'OPEN',
      to: 'RESOLVED',
      comment: 'No longer in the report of Lint of main at abc123',
      actor: { kind: 'SYSTEM' },
    });
  });

  it('leaves the issues of other tools, assets, branches and categories, and those that people triaged', async () => {
    const lint = { driver: { name: 'Lint' } };
    const python = { automationDetails: { id: 'codeql/language:python/1' } };
    await scene.imports.import(reportOf('fixed', 'reviewed'), '?branch=main');
    await triage('reviewed', { status: 'MANUAL_REVIEW' });
    await scene.imports.import(
      sarifLog([sarifResult('tool')], { tool: { driver: { name: 'Other' } } }),
      '?branch=main',
    );
    await scene.imports.import(sarifLog([sarifResult('asset')], elsewhere), '?branch=main');
    await scene.imports.import(reportOf('branch'), '?branch=feature');
    await scene.imports.import(reportOf('nameless'));
    await scene.imports.import(sarifLog([sarifResult('category')], { tool: lint, ...python }), '?branch=main');
    const answer = await scene.imports.import(reportOf(), '?branch=main&resolveGone=true');
    expect(goneOf(answer)).toEqual(['fixed']);
    expect(await scene.statuses('&branch=*')).toMatchObject({
      fixed: 'RESOLVED',
      reviewed: 'MANUAL_REVIEW',
      ...Object.fromEntries(['tool', 'asset', 'branch', 'nameless', 'category'].map((name) => [name, 'OPEN'])),
    });
  });

  it('leaves issues that the default branch still has until they are gone there, whatever old branches had', async () => {
    await scene.imports.import(reportOf('bug'), '?branch=main');
    await scene.imports.import(reportOf('bug', 'own'), '?branch=feature');
    await scene.imports.import(reportOf('bug'), '?branch=abandoned');
    expect(goneOf(await scene.imports.import(reportOf(), '?branch=feature&resolveGone=true'))).toEqual(['own']);
    expect(await scene.statuses('&branch=*')).toEqual({ bug: 'OPEN', own: 'RESOLVED' });
    expect(goneOf(await scene.imports.import(reportOf(), '?branch=other&resolveGone=true'))).toEqual([]);
    expect(goneOf(await scene.imports.import(reportOf(), '?branch=main&resolveGone=true'))).toEqual(['bug']);
  });

  it('leaves what a person opened again after the default branch had fixed it', async () => {
    await scene.imports.import(reportOf('bug'), '?branch=main');
    await scene.imports.import(reportOf(), '?branch=main&resolveGone=true');
    await scene.imports.import(reportOf('bug'), '?branch=feature');
    await triage('bug', { status: 'OPEN' });
    expect(goneOf(await scene.imports.import(reportOf(), '?branch=feature&resolveGone=true'))).toEqual([]);
    expect(await scene.statuses('&branch=*')).toEqual({ bug: 'OPEN' });
  });

  it('treats results that a report calls absent as gone, also on a new branch', async () => {
    await scene.imports.import(reportOf('kept', 'fixed'), '?branch=feature');
    const absent = sarifResult('fixed', 'src/a.ts', { baselineState: 'absent' });
    const kept = sarifResult('kept', 'src/a.ts', { baselineState: 'unchanged' });
    const answer = await scene.imports.import(sarifLog([absent, kept]), '?branch=main&resolveGone=true');
    expect([answer.skippedCount, goneOf(answer), answer.goneUnknown]).toEqual([1, ['fixed'], null]);
    expect(await scene.statuses()).toEqual({ kept: 'OPEN', fixed: 'RESOLVED' });
  });

  it.each([
    ['failed', sarifLog([], { invocations: [{ executionSuccessful: false }] }), 'did not finish'],
    ['has a finding that cannot be read', sarifLog([7 as never]), '1 findings could not be read'],
  ])('treats nothing as gone when the run %s', async (_, report, reason) => {
    await scene.imports.import(reportOf('bug'), '?branch=main');
    const answer = await scene.imports.import(report, '?branch=main&resolveGone=true');
    expect([goneOf(answer), answer.resolved, answer.goneUnknown]).toEqual([[], 0, expect.stringContaining(reason)]);
    expect(await scene.statuses()).toEqual({ bug: 'OPEN' });
  });

  it('resolves issues of web scanners, also on a named asset', async () => {
    await scene.imports.import(zapReport([zapAlert('1'), zapAlert('2')]), '?asset=shop');
    const answer = await scene.imports.import(zapReport([zapAlert('2')]), '?asset=shop&resolveGone=true');
    expect(goneOf(answer)).toEqual(['Alert 1']);
  });
});

describe('POST /api/v1/scans/import?dryRun=true', () => {
  it('returns the same as an import and writes nothing', async () => {
    await scene.imports.import(reportOf('known', 'fixed'), '?branch=main');
    await listenTo(scene.app, scene.organization.id, 'ISSUE_UPDATED', 'NEW_ISSUE', 'ASSET_FOUND', 'SCAN_COMPLETED');
    const before = await rowCounts(scene.app);
    const report = reportOf('known', 'new');
    const dry = await scene.imports.import(report, '?branch=main&resolveGone=true&dryRun=true');
    expect(await rowCounts(scene.app)).toEqual(before);
    expect(await scene.statuses()).toEqual({ known: 'OPEN', fixed: 'OPEN' });
    expect(await scene.fired()).toEqual([]);
    const { bySeverity, byRule, created, seen, resolved } = dry;
    expect(dry.dryRun).toBe(true);
    const real = await scene.imports.import(report, '?branch=main&resolveGone=true');
    expect(real).toMatchObject({ bySeverity, byRule, created, seen, resolved, dryRun: false });
    expect(real.resolved).toBe(1);
  });

  it('counts as new and set aside what the import then makes of findings that the code suppresses', async () => {
    await scene.imports.import(reportOf('known', 'ignored'));
    await triage('ignored', { status: 'IGNORED' });
    const suppressions = [{ kind: 'inSource' }];
    const results = [
      sarifResult('new'),
      sarifResult('born', 'src/c.ts', { suppressions }),
      sarifResult('known', 'src/a.ts', { suppressions }),
      sarifResult('ignored'),
    ];
    const dry = await scene.imports.import(sarifLog(results), '?dryRun=true');
    const real = await scene.imports.import(sarifLog(results));
    expect(dry.bySeverity).toEqual(real.bySeverity);
    const statuses = Object.values(await scene.statuses());
    const counted = ({ setAside, ...open }: ImportResult['bySeverity']) => [
      open.created.HIGH + open.seen.HIGH + open.reopened.HIGH,
      setAside.HIGH,
    ];
    const count = (status: string) => statuses.filter((one) => one === status).length;
    expect(counted(real.bySeverity)).toEqual([count('OPEN'), count('IGNORED')]);
  });
});

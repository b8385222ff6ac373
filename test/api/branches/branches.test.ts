import { describe, expect, it } from '@jest/globals';
import type { Branch, BranchPage } from '../../../src/scanning/branches/branches.dto.js';
import type { Issue, IssueActivity } from '../../../src/scanning/issues/issues.dto.js';
import type { IssuesSummary } from '../../../src/scanning/issues/issue-summary.dto.js';
import type { ResourceScan } from '../../../src/scanning/scans/scans.dto.js';
import { sarifLog, sarifResult } from '../../support/report-imports.js';
import { listenTo } from '../../support/workflow-triggers.js';
import { importScene, reportOf } from '../reports/import-scene.js';

const scene = importScene();
const main = '?branch=main&resolveGone=true';
/** Of a run over the sources of something else. */
const elsewhere = { versionControlProvenance: [{ repositoryUri: 'https://code.example/acme/api' }] };
const pull = '?branch=fix/🚀&pullRequest=7&defaultBranch=main&resolveGone=true';

async function names(query = ''): Promise<string[]> {
  return (await scene.issues.list(query)).map(({ name }) => name).sort();
}

/** Status and branches of an issue of any branch. */
async function issueNamed(name: string): Promise<Issue> {
  const found = (await scene.issues.list('&branch=*')).find((one) => one.name === name);
  const { token } = scene.organization.viewer;
  return (await scene.app.api.get<Issue>(`/api/v1/issues/${found?.id}`, { token })).body;
}

/** What the newest change of an issue says. */
async function lastComment(name: string): Promise<string | null | undefined> {
  const { token } = scene.organization.viewer;
  const { id } = await issueNamed(name);
  const path = `/api/v1/issues/${id}/activities`;
  return (await scene.app.api.get<{ data: IssueActivity[] }>(path, { token })).body.data[0]?.comment;
}

async function told(name: string): Promise<[string, ...string[]]> {
  const { status, branches } = await issueNamed(name);
  return [status, ...branches.map((one) => `${one.name}${one.default ? '*' : ''}${one.present ? '' : ' gone'}`)];
}

const close = (name: string, assetId?: string, token = scene.organization.member.token) =>
  scene.app.api.post<{ closed: number; resolved: number }>('/api/v1/branches/close', {
    token,
    json: { name, assetId },
  });

/** The names of the branches, newest first; the default ones with a star. */
const defaults = async () => (await branchesListed()).map((one) => `${one.name}${one.default ? '*' : ''}`);

async function branchesListed(query = ''): Promise<Branch[]> {
  const { token } = scene.organization.viewer;
  return (await scene.app.api.get<{ data: Branch[] }>(`/api/v1/branches${query}`, { token })).body.data;
}

describe('A scan', () => {
  it('shows its branch, commit, pull request, assets, tool and why it failed, and is found by them', async () => {
    const driver = { name: 'Lint', semanticVersion: '2.4.0', version: '2.4' };
    const query = `${pull}&commit=abc123`;
    await scene.imports.import(sarifLog([], { tool: { driver } }), query);
    const failed = { invocations: [{ executionSuccessful: false }], tool: { driver } };
    await scene.imports.import(sarifLog([], failed), query);
    await scene.imports.import(reportOf('other'));
    const { token } = scene.organization.viewer;
    const list = async (filter: string) =>
      (await scene.app.api.get<{ data: ResourceScan[] }>(`/api/v1/scans?${filter}`, { token })).body.data;
    const own = await list(`branch=${encodeURIComponent('fix/🚀')}&commit=abc123&pullRequest=7&tool=Lint`);
    const expected = { branch: 'fix/🚀', commit: 'abc123', pullRequest: '7', tool: 'Lint', toolVersion: '2.4' };
    expect(own).toEqual([
      expect.objectContaining({ ...expected, status: 'FAILED', failureReason: expect.stringContaining('Lint') }),
      expect.objectContaining({ ...expected, status: 'FINISHED', failureReason: null }),
    ]);
    expect(own[0]?.assetIds).toHaveLength(1);
    expect(await list('branch=main')).toEqual([]);
    expect((await list(''))[0]).toMatchObject({ branch: null, commit: null, pullRequest: null });
  });
});

describe('The issues of a pull request', () => {
  it('are in no list and count of the organization unless asked for, until the default branch has them', async () => {
    await scene.imports.import(reportOf('old'), main);
    await listenTo(scene.app, scene.organization.id, 'NEW_ISSUE');
    await scene.imports.import(reportOf('old', 'own'), pull);
    expect(await names()).toEqual(['old']);
    expect(await names('&branch=*')).toEqual(['old', 'own']);
    expect(await names(`&branch=${encodeURIComponent('fix/🚀')}`)).toEqual(['old', 'own']);
    expect(await names('&branch=main')).toEqual(['old']);
    const { token } = scene.organization.viewer;
    const summary = async () => (await scene.app.api.get<IssuesSummary>('/api/v1/issues/summary', { token })).body;
    expect(await summary()).toMatchObject({ total: 1, openBySeverity: { HIGH: 1 } });
    expect((await summary()).days.at(-1)).toMatchObject({ created: 1, open: { HIGH: 1 } });
    expect(await told('own')).toEqual(['OPEN', 'fix/🚀']);
    await scene.imports.import(reportOf('old', 'own'), main);
    expect(await names()).toEqual(['old', 'own']);
    expect(await told('own')).toEqual(['OPEN', 'main*', 'fix/🚀']);
    const { id } = await issueNamed('own');
    // Once as the branch's, which workflows leave out by default, and once as the organization's.
    expect((await scene.fired()).filter(({ subjects }) => subjects.includes(id))).toHaveLength(2);
  });

  it('reopen nothing that the default branch has fixed', async () => {
    await scene.imports.import(reportOf('fixed'), main);
    await scene.imports.import(reportOf(), main);
    const again = await scene.imports.import(reportOf('fixed'), pull);
    expect(await told('fixed')).toEqual(['RESOLVED', 'main* gone', 'fix/🚀']);
    expect([again.bySeverity.reopened.HIGH, again.bySeverity.unmerged.HIGH]).toEqual([0, 1]);
    expect(again.tools[0]?.comparedWith).toEqual(['main']);
  });

  it('change nothing that people decided, and take severity and text from the default branch', async () => {
    await scene.imports.import(reportOf('wrong', 'kept'), main);
    const { id } = await scene.issues.named('wrong');
    const { token } = scene.organization.member;
    await scene.app.api.patch(`/api/v1/issues/${id}`, { token, json: { status: 'FALSE_POSITIVE' } });
    const lower = sarifLog([sarifResult('wrong'), sarifResult('kept', 'src/a.ts', { level: 'note' })]);
    await scene.imports.import(lower, pull);
    expect(await told('wrong')).toEqual(['FALSE_POSITIVE', 'main*', 'fix/🚀']);
    expect((await issueNamed('kept')).severity).toBe('HIGH');
  });

  it('go when the branch is closed, and come back when it is scanned again', async () => {
    await scene.imports.import(reportOf('old'), main);
    await scene.imports.import(reportOf('old', 'own', 'shared'), pull);
    await scene.imports.import(reportOf('shared'), '?branch=other&defaultBranch=main');
    const { status, body } = await close('fix/🚀');
    expect([status, body]).toEqual([200, { closed: 1, resolved: 1 }]);
    expect(await told('own')).toEqual(['RESOLVED']);
    expect(await told('old')).toEqual(['OPEN', 'main*']);
    expect(await told('shared')).toEqual(['OPEN', 'other']);
    expect((await close('fix/🚀')).body).toEqual({ closed: 0, resolved: 0 });
    await scene.imports.import(reportOf('own'), pull);
    expect(await told('own')).toEqual(['OPEN', 'fix/🚀']);
  });
});

describe('The branches of one name', () => {
  it('are each the default branch of their own asset, whatever that of another one is', async () => {
    await scene.imports.import(reportOf('here'), main);
    await scene.imports.import(sarifLog([sarifResult('there')], elsewhere), main);
    expect(await defaults()).toEqual(['main*', 'main*']);
    await scene.imports.import(sarifLog([sarifResult('there')], elsewhere), '?branch=develop&defaultBranch=develop');
    expect(await defaults()).toEqual(['develop*', 'main', 'main*']);
  });

  it('begin again each by itself: reports of one asset stay good where that of another was closed', async () => {
    const fix = '?branch=fix&defaultBranch=main&resolveGone=true';
    for (const category of ['front', 'back'])
      await scene.imports.import(reportOf('here'), `${fix}&category=${category}`);
    await scene.imports.import(sarifLog([sarifResult('there')], elsewhere), fix);
    const [there] = await branchesListed('?search=fix');
    expect((await close('fix', there?.assetId)).body).toEqual({ closed: 1, resolved: 1 });
    await scene.imports.import(sarifLog([sarifResult('there')], elsewhere), fix);
    await scene.imports.import(reportOf(), `${fix}&category=front`);
    expect(await told('here')).toEqual(['OPEN', 'fix']);
    await close('fix');
    await scene.imports.import(reportOf('here'), `${fix}&category=front`);
    await scene.imports.import(reportOf(), `${fix}&category=front`);
    expect(await told('here')).toEqual(['RESOLVED', 'fix gone']);
  });

  it('are closed of one asset alone where the caller names it, else of all', async () => {
    await scene.imports.import(reportOf('here'), pull);
    await scene.imports.import(sarifLog([sarifResult('there')], elsewhere), pull);
    const [there] = await branchesListed('?search=fix');
    expect((await close('fix/🚀', there?.assetId)).body).toEqual({ closed: 1, resolved: 1 });
    expect([await told('there'), await told('here')]).toEqual([['RESOLVED'], ['OPEN', 'fix/🚀']]);
    await scene.imports.import(sarifLog([sarifResult('there')], elsewhere), pull);
    expect((await close('fix/🚀')).body).toEqual({ closed: 2, resolved: 2 });
  });
});

describe('The default branch', () => {
  it('decides what is resolved, also when it is another one from now on', async () => {
    await scene.imports.import(reportOf('both', 'main'), '?branch=main&resolveGone=true');
    await scene.imports.import(reportOf('both', 'develop', 'main'), '?branch=develop&resolveGone=true');
    await scene.imports.import(reportOf('both', 'develop'), '?branch=develop&resolveGone=true');
    expect(await names()).toEqual(['both', 'main']);
    await scene.imports.import(reportOf('both', 'develop'), '?branch=develop&defaultBranch=develop');
    expect(await names()).toEqual(['both', 'develop', 'main']);
    expect(await told('main')).toEqual(['RESOLVED', 'develop* gone', 'main']);
    expect(await told('develop')).toEqual(['OPEN', 'develop*']);
    expect(await lastComment('main')).toBe('The default branch is develop now');
  });

  it('is one of a usual name; without one, all branches count but those of pull requests', async () => {
    await scene.imports.import(reportOf('one'), '?branch=release/1');
    await scene.imports.import(reportOf('two'), '?branch=fix&pullRequest=8');
    expect(await names()).toEqual(['one']);
    await scene.imports.import(reportOf('more'), '?branch=release/2');
    expect(await names()).toEqual(['more', 'one']);
    await scene.imports.import(reportOf('three'), '?branch=master');
    expect(await names()).toEqual(['three']);
    await scene.imports.import(reportOf('four'), '?branch=main');
    expect(await names()).toEqual(['four']);
    expect((await branchesListed()).map((branch) => [branch.name, branch.default])).toEqual([
      ['main', true],
      ['master', false],
      ['release/2', false],
      ['fix', false],
      ['release/1', false],
    ]);
  });

  it('without one, keeps open what any branch still has', async () => {
    for (const branch of ['one', 'two']) await scene.imports.import(reportOf('bug'), `?branch=${branch}`);
    await scene.imports.import(reportOf(), '?branch=one&resolveGone=true');
    expect(await told('bug')).toEqual(['OPEN', 'two', 'one gone']);
    await scene.imports.import(reportOf(), '?branch=two&resolveGone=true');
    expect(await told('bug')).toEqual(['RESOLVED', 'two gone', 'one gone']);
  });

  it('loses what somebody ignores, too', async () => {
    await scene.imports.import(reportOf('ignored'), main);
    const { id } = await scene.issues.named('ignored');
    await scene.app.api.patch(`/api/v1/issues/${id}`, {
      token: scene.organization.member.token,
      json: { status: 'IGNORED' },
    });
    await scene.imports.import(reportOf(), main);
    expect(await told('ignored')).toEqual(['IGNORED', 'main* gone']);
  });

  it('stays the one that a scan named, whatever is scanned afterwards', async () => {
    await scene.imports.import(reportOf(), '?branch=master');
    await scene.imports.import(reportOf(), '?branch=master&defaultBranch=master');
    await scene.imports.import(reportOf(), '?branch=main');
    expect(await defaults()).toEqual(['main', 'master*']);
  });

  it('is another one as soon as the scan of any branch names it', async () => {
    await scene.imports.import(reportOf(), '?branch=develop');
    await scene.imports.import(reportOf(), '?branch=main');
    expect(await defaults()).toEqual(['main*', 'develop']);
    await scene.imports.import(reportOf(), '?branch=main&defaultBranch=develop');
    expect(await defaults()).toEqual(['main', 'develop*']);
  });

  it('cannot be closed', async () => {
    await scene.imports.import(reportOf('one'), main);
    const { status, body } = await close('main');
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'default_branch' })]);
  });
});

describe('The report of an old commit', () => {
  const at = (day: number) => `&committedAt=2026-11-0${day}T12:00:00Z`;

  it('that arrives after that of a newer one says nothing of what is there now', async () => {
    await scene.imports.import(reportOf('stays', 'fixed'), main + at(1));
    await scene.imports.import(reportOf('stays', 'new'), main + at(3));
    const late = await scene.imports.import(reportOf('fixed', 'between'), main + at(2));
    expect(late.goneUnknown).toContain('A newer commit');
    expect(await told('stays')).toEqual(['OPEN', 'main*']);
    expect(await told('new')).toEqual(['OPEN', 'main*']);
    expect(await told('fixed')).toEqual(['RESOLVED', 'main* gone']);
    expect(await told('between')).toEqual(['RESOLVED', 'main* gone']);
    await scene.imports.import(reportOf('between'), main + at(4));
    expect(await told('between')).toEqual(['OPEN', 'main*']);
  });

  it('is one before the newest of its own asset: the same commit again is none', async () => {
    await scene.imports.import(reportOf('one'), main + at(1));
    await scene.imports.import(sarifLog([], elsewhere), main + at(3));
    for (const day of [2, 2]) {
      expect((await scene.imports.import(reportOf('two'), main + at(day))).goneUnknown).toBeNull();
    }
    expect([await told('one'), await told('two')]).toEqual([
      ['RESOLVED', 'main* gone'],
      ['OPEN', 'main*'],
    ]);
  });
});

describe('A branch', () => {
  it('is not written again when another one of its asset is scanned', async () => {
    for (const query of [main, pull, '?branch=other']) await scene.imports.import(reportOf('one'), query);
    const version = async () => {
      const sql = 'SELECT xmin::text FROM branches WHERE organization_id = $1 AND pull_request IS NOT NULL';
      return scene.app.database.rows(sql, [scene.organization.id]);
    };
    const before = await version();
    expect(before).toHaveLength(1);
    for (const query of ['', '&defaultBranch=main'])
      await scene.imports.import(reportOf('two'), `?branch=other${query}`);
    expect(await version()).toEqual(before);
  });
});

describe('GET /api/v1/branches', () => {
  it('lists the branches of assets, newest first, by name, asset and state', async () => {
    await scene.imports.import(reportOf('one'), main);
    await scene.imports.import(reportOf('one'), pull);
    await close('fix/🚀');
    expect((await branchesListed('?search=FIX')).map(({ name }) => name)).toEqual(['fix/🚀']);
    expect(await branchesListed('?state=CLOSED')).toEqual([
      expect.objectContaining({ name: 'fix/🚀', pullRequest: '7', default: false, closedAt: expect.any(String) }),
    ]);
    const [open] = await branchesListed('?state=OPEN');
    expect(open).toMatchObject({ name: 'main', default: true, closedAt: null });
    expect(await branchesListed(`?assetIds=${open?.assetId}&size=1`)).toHaveLength(1);
  });

  it('tells when a branch was scanned last: never, where a scan of another one named it', async () => {
    await scene.imports.import(reportOf('one'), pull);
    expect((await branchesListed()).map(({ name, lastScannedAt }) => [name, lastScannedAt])).toEqual(
      expect.arrayContaining([
        ['fix/🚀', expect.any(String)],
        ['main', null],
      ]),
    );
  });

  it('lists each branch once, page by page', async () => {
    for (const name of ['one', 'two', 'three']) await scene.imports.import(reportOf(), `?branch=${name}`);
    const { token } = scene.organization.viewer;
    const page = async (query: string) =>
      (await scene.app.api.get<BranchPage>(`/api/v1/branches?size=2${query}`, { token })).body;
    const first = await page('');
    const second = await page(`&cursor=${first.nextCursor}`);
    expect([first, second].map(({ data }) => data.map(({ name }) => name))).toEqual([['three', 'two'], ['one']]);
    expect(second.nextCursor).toBeNull();
  });

  it('takes a name of 255 characters, and lets viewers close none', async () => {
    const name = `${'é/🚀'.repeat(63)}${'x'.repeat(66)}`;
    await scene.imports.import(reportOf('one'), `?branch=${encodeURIComponent(name)}`);
    expect((await branchesListed()).map((branch) => branch.name)).toEqual([name]);
    expect((await close(name, undefined, scene.organization.viewer.token)).status).toBe(403);
    const { status } = await scene.imports.send('{}', `?branch=${encodeURIComponent(`${name}x`)}`);
    expect(status).toBe(422);
  });
});

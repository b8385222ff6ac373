import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Issue } from '../../../src/scanning/issues/issues.dto.js';
import type { ResourceScan } from '../../../src/scanning/scans/scans.dto.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { Scanning } from '../../support/scanning.js';
import { listenTo } from '../../support/workflow-triggers.js';
import { importScene } from '../reports/import-scene.js';

const scene = importScene();
let scanning: Scanning;
let issues: IssueCalls;
let assetId: string;
beforeEach(async () => {
  scanning = new Scanning(scene.app, scene.organization);
  issues = new IssueCalls(scene.app, scanning.token);
  assetId = (await scanning.asset()).id;
});

const pull = { branch: 'fix/🚀', pullRequest: '7', commit: 'abc123' };

/** A scan of a branch that a scanner reports by itself, with these findings. */
async function scanned(fields: object, ...found: string[]): Promise<ResourceScan> {
  const scan = await scanning.scan({ status: 'RUNNING', assetIds: [assetId], ...fields });
  const { status } = await issues.append(
    scan.id,
    found.map((name) => finding(assetId, { name })),
  );
  expect(status).toBe(201);
  return scan;
}

async function names(query = ''): Promise<string[]> {
  return (await scene.issues.list(query)).map(({ name }) => name).sort();
}

async function issueNamed(name: string): Promise<Issue> {
  const found = (await scene.issues.list('&branch=*')).find((one) => one.name === name);
  return (await scene.app.api.get<Issue>(`/api/v1/issues/${found?.id}`, { token: scanning.token })).body;
}

const branchOnlyOf = async ({ id }: ResourceScan) =>
  (await scene.app.database.rows<{ branch_only: boolean }>('SELECT branch_only FROM scans WHERE id = $1', [id]))[0]
    ?.branch_only;

describe('A scan that a scanner makes', () => {
  it('has branch, commit and pull request, and its issues are the branch’s alone until the default branch has them', async () => {
    await scanned({ branch: 'main' }, 'old');
    await listenTo(scene.app, scene.organization.id, 'NEW_ISSUE');
    expect(await scanned(pull, 'old', 'own')).toMatchObject(pull);
    expect(await names()).toEqual(['old']);
    expect(await names(`&branch=${encodeURIComponent(pull.branch)}`)).toEqual(['old', 'own']);
    expect(await issueNamed('own')).toMatchObject({ branches: [{ name: 'fix/🚀', present: true, default: false }] });
    await scanned({ branch: 'main' }, 'own');
    expect(await names()).toEqual(['old', 'own']);
  });

  it('reopens nothing from an old base, and its issues go with the branch', async () => {
    await scanned({ branch: 'main' }, 'fixed');
    const { id } = await issueNamed('fixed');
    await scene.app.api.patch(`/api/v1/issues/${id}`, { token: scanning.token, json: { status: 'RESOLVED' } });
    await scanned(pull, 'fixed', 'own');
    expect((await issueNamed('fixed')).status).toBe('RESOLVED');
    const json = { name: pull.branch };
    const closed = await scene.app.api.post('/api/v1/branches/close', { token: scanning.token, json });
    expect(closed.body).toEqual({ closed: 1, resolved: 1 });
    expect((await issueNamed('own')).status).toBe('RESOLVED');
  });

  it('is of another branch for workflows where its assets have a default one, or where it is of a pull request', async () => {
    expect(await branchOnlyOf(await scanned({ branch: 'work' }))).toBe(false);
    expect(await branchOnlyOf(await scanned({ branch: 'main', pullRequest: '1' }))).toBe(false);
    expect(await branchOnlyOf(await scanning.scan(pull))).toBe(true);
    await scanned({ branch: 'main' }, 'old');
    expect(await branchOnlyOf(await scanned({ branch: 'work' }))).toBe(true);
    expect(await branchOnlyOf(await scanned({ branch: 'main' }))).toBe(false);
    expect(await branchOnlyOf(await scanning.scan())).toBe(false);
  });

  it('lets issues follow the default branch that it brings', async () => {
    await scanned({ branch: 'work' }, 'early');
    expect(await names()).toEqual(['early']);
    await scanned({ branch: 'main' }, 'other');
    expect(await names()).toEqual(['other']);
  });

  it('refuses assets of others, with a branch too, and keeps no branch of them', async () => {
    const { id } = await scanning.scan({ branch: 'main' });
    const foreign = '01981c5e-7a60-7c3e-9f0b-52c1d5a1e0c4';
    expect((await issues.append(id, [finding(foreign)])).status).toBe(404);
    expect((await scene.app.api.get('/api/v1/branches', { token: scanning.token })).body).toMatchObject({ data: [] });
  });

  it('refuses a branch that is too long or empty', async () => {
    const { id: applicationId } = await scanning.profile();
    const json = { applicationId, kind: 'FRONTEND_DAST' };
    for (const fields of [{ branch: '' }, { branch: 'x'.repeat(256) }, { commit: 'x'.repeat(101) }, { branch: 7 }]) {
      const { status } = await scene.app.api.post('/api/v1/scans', {
        token: scanning.token,
        json: { ...json, ...fields },
      });
      expect(status).toBe(422);
    }
  });
});

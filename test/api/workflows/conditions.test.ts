import { beforeAll, describe, expect, it } from '@jest/globals';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { nothing, sentIds, twoOfEverything } from '../../support/two-of-everything.js';
import { workflowScene } from '../../support/workflow-scene.js';

const scene = workflowScene({ jobs: true });
let schemas: PayloadSchemas;
beforeAll(async () => {
  schemas = await holdToSchema(scene.service.baseUrl);
});

describe('A condition', () => {
  type Two = Awaited<ReturnType<typeof twoOfEverything>>;
  // What each condition leaves of two of everything; unrelated roots stay whole.
  const cases: [string, (two: Two) => Record<string, unknown>, (two: Two) => Record<string, string[]>][] = [
    ['severities', () => ({ severities: ['HIGH', 'CRITICAL'] }), (two) => ({ issues: [two.issue] })],
    ['categories', () => ({ categories: ['INJECTION'] }), (two) => ({ issues: [two.issue] })],
    ['issueStatuses', () => ({ issueStatuses: ['OPEN'] }), (two) => ({ issues: [two.issue] })],
    [
      'assetTypes',
      () => ({ assetTypes: ['REST'] }),
      (two) => ({ issues: [two.issue], assets: [two.asset], scans: [two.scan] }),
    ],
    [
      'assetClasses',
      () => ({ assetClasses: ['API_SERVICE'] }),
      (two) => ({ issues: [two.issue], assets: [two.asset], scans: [two.scan] }),
    ],
    [
      'tagIds',
      (two) => ({ tagIds: [two.tagId] }),
      (two) => ({ issues: [two.issue], assets: [two.asset], scans: [two.scan] }),
    ],
    ['scanKinds', () => ({ scanKinds: ['BLST_REST'] }), (two) => ({ issues: [two.issue], scans: [two.scan] })],
    ['scanStatuses', () => ({ scanStatuses: ['FINISHED'] }), (two) => ({ issues: [two.issue], scans: [two.scan] })],
    [
      'profileIds',
      (two) => ({ profileIds: [two.profile.toUpperCase()] }),
      (two) => ({ issues: [two.issue], scans: [two.scan], profiles: [two.profile] }),
    ],
    [
      'search',
      () => ({ search: 'OTHER' }),
      (two) => ({
        issues: [],
        assets: two.all.assets.filter((id) => id !== two.asset),
        scans: two.all.scans.filter((id) => id !== two.scan),
        profiles: two.all.profiles.filter((id) => id !== two.profile),
        locations: [],
        integrations: two.all.integrations.filter((id) => id !== two.integration),
      }),
    ],
    [
      'two conditions together',
      () => ({ severities: ['HIGH'], assetTypes: ['DNS'] }),
      (two) => ({
        issues: [],
        assets: two.all.assets.filter((id) => id !== two.asset),
        scans: two.all.scans.filter((id) => id !== two.scan),
      }),
    ],
    ['no condition, in an empty list', () => ({ severities: [], search: '' }), () => ({})],
  ];

  it.each(cases)('by %s narrows the roots that it applies to', async (_name, conditions, narrowed) => {
    const two = await twoOfEverything(scene.things);
    await scene.calls.run((await scene.calls.make(scene.receiver.url, { conditions: conditions(two) })).id);
    expect(await sentIds(scene.receiver, schemas)).toEqual({ ...two.all, ...narrowed(two) });
  });

  it('by branches: by default what only other branches have is left out, and * takes it', async () => {
    const { things, calls, receiver, organization } = scene;
    const asset = await things.asset();
    const profile = await things.profile();
    const branch = '0199a001-0000-7000-8000-0000000000b1';
    await scene.service.database.rows(
      `INSERT INTO branches (id, organization_id, asset_id, name) VALUES ($1, $2, $3, 'fix/🚀')`,
      [branch, organization.id, asset],
    );
    const [own, theirs] = [await things.issue(asset), await things.issue(asset, { branch_only: true })];
    const scan = await things.scan(profile, { branch: 'fix/🚀', branch_only: true });
    await scene.service.database.rows('INSERT INTO issue_branches VALUES ($1, $2, now(), true)', [theirs, branch]);
    const sent = async (conditions: Record<string, unknown>) => {
      const index = receiver.received.length;
      await calls.run((await calls.make(receiver.url, { conditions })).id);
      const { issues = [], scans = [] } = await receiver.payload<Record<string, { id: string }[]>>(index);
      return [new Set(issues.map(({ id }) => id)), scans.map(({ id }) => id)];
    };
    expect(await sent({})).toEqual([new Set([own]), []]);
    expect(await sent({ branches: ['fix/🚀'] })).toEqual([new Set([theirs]), [scan]]);
    expect(await sent({ branches: ['*'] })).toEqual([new Set([own, theirs]), [scan]]);
  });

  it('that matches nothing still sends empty arrays in a run by hand', async () => {
    await scene.things.issue(await scene.things.asset());
    const { id } = await scene.calls.make(scene.receiver.url, { conditions: { search: 'nothing has this' } });
    await scene.calls.run(id);
    expect(await sentIds(scene.receiver, schemas)).toEqual(nothing);
  });

  it('takes % and _ literally', async () => {
    const id = await scene.things.profile({ name: '100% sure' });
    await scene.calls.run((await scene.calls.make(scene.receiver.url, { conditions: { search: '0% s' } })).id);
    expect((await sentIds(scene.receiver, schemas))['profiles']).toEqual([id]);
  });

  it.each([
    ['an issue of the severity', { severities: ['HIGH'] }, true],
    ['no issue of the severity', { severities: ['LOW'] }, false],
    ['an issue of the category', { categories: ['INJECTION'] }, true],
    ['no issue of the category', { categories: ['SCHEMA'] }, false],
    ['an issue of the status', { issueStatuses: ['OPEN'] }, true],
    ['no issue of the status', { issueStatuses: ['RESOLVED'] }, false],
    ['an issue of both', { severities: ['HIGH', 'LOW'], categories: ['INJECTION'] }, true],
    ['one issue of each alone', { severities: ['MEDIUM'], categories: ['INJECTION'] }, false],
  ])('on issues decides whether a scan with %s is sent: %j → %s', async (_name, conditions, fires) => {
    const two = await twoOfEverything(scene.things);
    await scene.things.issue(two.asset, { scan_id: two.scan, severity: 'MEDIUM', category: 'ACCESS_CONTROL' });
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'SCAN_COMPLETED' }, conditions });
    await scene.things.trigger('SCAN_COMPLETED', two.scan);
    const [run] = await scene.calls.settledRuns(id);
    expect(run).toMatchObject({ status: fires ? 'SENT' : 'SKIPPED' });
    if (fires) expect(await sentIds(scene.receiver, schemas)).toMatchObject({ scans: [two.scan] });
  });
});

describe('A throttle', () => {
  it('gathers all triggers of its window into one run at its end', async () => {
    const assetId = await scene.things.asset();
    const issueIds = [
      await scene.things.issue(assetId),
      await scene.things.issue(assetId),
      await scene.things.issue(assetId),
    ];
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 4_000 });
    const started = Date.now();
    for (const issueId of issueIds) await scene.things.trigger('NEW_ISSUE', issueId);
    expect((await sentIds(scene.receiver, schemas))['issues']).toEqual(issueIds.sort());
    expect(Date.now() - started).toBeGreaterThanOrEqual(3_950);
    expect(await scene.calls.runs(id)).toHaveLength(1);
  });

  it('opens a new window after the end of one', async () => {
    const assetId = await scene.things.asset();
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 300 });
    for (let n = 1; n <= 2; n++) {
      await scene.things.trigger('NEW_ISSUE', await scene.things.issue(assetId));
      await scene.receiver.has(n);
    }
    expect(await scene.calls.settledRuns(id, 2)).toHaveLength(2);
  });

  it('opens one window for concurrent triggers', async () => {
    const assetId = await scene.things.asset();
    const issueIds = await Promise.all(Array.from({ length: 10 }, () => scene.things.issue(assetId)));
    // Long enough for ten triggers on the slowest machine.
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 5_000 });
    await Promise.all(issueIds.map((issueId) => scene.things.trigger('NEW_ISSUE', issueId)));
    expect((await sentIds(scene.receiver, schemas))['issues']).toEqual(issueIds.sort());
    expect(await scene.calls.runs(id)).toHaveLength(1);
  });

  it('is SKIPPED when its subjects no longer match', async () => {
    const issueId = await scene.things.issue(await scene.things.asset());
    const choices = { trigger: { type: 'NEW_ISSUE' }, throttleMs: 4_000, conditions: { issueStatuses: ['OPEN'] } };
    const { id } = await scene.calls.make(scene.receiver.url, choices);
    await scene.things.trigger('NEW_ISSUE', issueId);
    await scene.service.database.rows(`UPDATE issues SET status = 'IGNORED' WHERE id = $1`, [issueId]);
    expect(await scene.calls.settledRuns(id)).toMatchObject([{ status: 'SKIPPED' }]);
  });
});

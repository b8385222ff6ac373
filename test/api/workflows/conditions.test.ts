import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { ScannedThings } from '../../support/scanned-things.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { nothing, sentIds, twoOfEverything } from '../../support/two-of-everything.js';
import { WorkflowCalls } from '../../support/workflows.js';

let shop: TestApp;
let schemas: PayloadSchemas;
let receiver: Receiver;
let acme: InsertedOrganization;
let things: ScannedThings;
let calls: WorkflowCalls;

beforeAll(async () => {
  shop = await startTestApp({ env: { EGRESS_ALLOW: '127.0.0.1' }, jobs: true });
  schemas = await holdToSchema(shop.baseUrl);
  receiver = await startReceiver();
});
beforeEach(async () => {
  acme = await insertOrganization(shop);
  things = new ScannedThings(shop, acme.id);
  calls = new WorkflowCalls(shop, acme);
  receiver.received.length = 0;
});
afterAll(async () => {
  await shop.close();
  await receiver.close();
});

describe('A condition', () => {
  type Two = Awaited<ReturnType<typeof twoOfEverything>>;
  // Of two of everything, what each leaves; what it cannot be asked of stays as it is.
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

  it.each(cases)('by %s narrows what it can be asked of', async (_name, conditions, narrowed) => {
    const two = await twoOfEverything(things);
    await calls.run((await calls.make(receiver.url, { conditions: conditions(two) })).id);
    expect(await sentIds(receiver, schemas)).toEqual({ ...two.all, ...narrowed(two) });
  });

  it('that matches nothing still sends by hand, with empty arrays', async () => {
    await things.issue(await things.asset());
    const { id } = await calls.make(receiver.url, { conditions: { search: 'nothing has this' } });
    await calls.run(id);
    expect(await sentIds(receiver, schemas)).toEqual(nothing);
  });

  it('takes % and _ as they are', async () => {
    const id = await things.profile({ name: '100% sure' });
    await calls.run((await calls.make(receiver.url, { conditions: { search: '0% s' } })).id);
    expect((await sentIds(receiver, schemas))['profiles']).toEqual([id]);
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
  ])('on issues lets a scan with %s go: %j → %s', async (_name, conditions, fires) => {
    const two = await twoOfEverything(things);
    await things.issue(two.asset, { scan_id: two.scan, severity: 'MEDIUM', category: 'ACCESS_CONTROL' });
    const { id } = await calls.make(receiver.url, { trigger: { type: 'SCAN_COMPLETED' }, conditions });
    await things.trigger('SCAN_COMPLETED', two.scan);
    const [run] = await calls.settledRuns(id);
    expect(run).toMatchObject({ status: fires ? 'SENT' : 'SKIPPED' });
    if (fires) expect(await sentIds(receiver, schemas)).toMatchObject({ scans: [two.scan] });
  });
});

describe('A throttle', () => {
  it('gathers all triggers within its window into one run at its end', async () => {
    const assetId = await things.asset();
    const issueIds = [await things.issue(assetId), await things.issue(assetId), await things.issue(assetId)];
    const { id } = await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 1_500 });
    const started = Date.now();
    for (const issueId of issueIds) await things.trigger('NEW_ISSUE', issueId);
    expect((await sentIds(receiver, schemas))['issues']).toEqual(issueIds.sort());
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_450);
    expect(await calls.runs(id)).toHaveLength(1);
  });

  it('opens a new window after the end of one', async () => {
    const assetId = await things.asset();
    const { id } = await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 300 });
    for (let n = 1; n <= 2; n++) {
      await things.trigger('NEW_ISSUE', await things.issue(assetId));
      await receiver.has(n);
    }
    expect(await calls.settledRuns(id, 2)).toHaveLength(2);
  });

  it('opens one window for triggers that come at once', async () => {
    const assetId = await things.asset();
    const issueIds = await Promise.all(Array.from({ length: 10 }, () => things.issue(assetId)));
    const { id } = await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' }, throttleMs: 1_000 });
    await Promise.all(issueIds.map((issueId) => things.trigger('NEW_ISSUE', issueId)));
    expect((await sentIds(receiver, schemas))['issues']).toEqual(issueIds.sort());
    expect(await calls.runs(id)).toHaveLength(1);
  });

  it('is SKIPPED where what it gathered matches no more', async () => {
    const issueId = await things.issue(await things.asset());
    const choices = { trigger: { type: 'NEW_ISSUE' }, throttleMs: 800, conditions: { issueStatuses: ['OPEN'] } };
    const { id } = await calls.make(receiver.url, choices);
    await things.trigger('NEW_ISSUE', issueId);
    await shop.database.rows(`UPDATE issues SET status = 'IGNORED' WHERE id = $1`, [issueId]);
    expect(await calls.settledRuns(id)).toMatchObject([{ status: 'SKIPPED' }]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventTriggerType } from '../../../src/scanning/vocabulary.js';
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

describe('A trigger', () => {
  it.each<[EventTriggerType, 'asset' | 'issue' | 'scan' | 'integration' | 'locationId', string[]]>([
    ['ASSET_FOUND', 'asset', ['assets']],
    ['ASSET_UPDATED', 'asset', ['assets']],
    ['NEW_ISSUE', 'issue', ['issues', 'assets', 'scans', 'profiles']],
    ['ISSUE_UPDATED', 'issue', ['issues', 'assets', 'scans', 'profiles']],
    ['SCAN_STARTED', 'scan', ['scans', 'issues', 'assets', 'profiles', 'locations']],
    ['SCAN_COMPLETED', 'scan', ['scans', 'issues', 'assets', 'profiles', 'locations']],
    ['SCAN_FAILED', 'scan', ['scans', 'issues', 'assets', 'profiles', 'locations']],
    ['INTEGRATION_FAILED', 'integration', ['integrations']],
    ['LOCATION_DOWN', 'locationId', ['locations']],
  ])('%s sends what it is about', async (type, subject, filled) => {
    const two = await twoOfEverything(things);
    const { id } = await calls.make(receiver.url, { trigger: { type } });
    await things.trigger(type, two[subject]);
    const about = {
      issues: [two.issue],
      assets: [two.asset],
      scans: [two.scan],
      profiles: [two.profile],
      locations: [two.locationId],
      integrations: [two.integration],
    };
    const expected = Object.entries(about).filter(([root]) => filled.includes(root));
    expect(await sentIds(receiver, schemas)).toEqual({ ...nothing, ...Object.fromEntries(expected) });
    expect(await calls.settledRuns(id)).toMatchObject([{ trigger: type, status: 'SENT', reason: null }]);
  });

  it('MANUAL sends everything', async () => {
    const { all } = await twoOfEverything(things);
    await calls.run((await calls.make(receiver.url)).id);
    expect(await sentIds(receiver, schemas)).toEqual(all);
  });

  it('reaches every enabled workflow that listens to it, and no other', async () => {
    const { issue } = await twoOfEverything(things);
    const listening = [1, 2].map(() => calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' } }));
    const deaf = [
      calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' }, enabled: false }),
      calls.make(receiver.url, { trigger: { type: 'ISSUE_UPDATED' } }),
    ];
    await Promise.all([...listening, ...deaf]);
    await things.trigger('NEW_ISSUE', issue);
    await receiver.has(2);
    for (const workflow of listening) expect(await calls.settledRuns((await workflow).id)).toHaveLength(1);
    for (const workflow of deaf) expect(await calls.runs((await workflow).id)).toEqual([]);
  });

  it('sends all that it is about together', async () => {
    const { all } = await twoOfEverything(things);
    await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' } });
    await things.trigger('NEW_ISSUE', ...all.issues);
    expect((await sentIds(receiver, schemas))['issues']).toEqual(all.issues);
    expect(receiver.received).toHaveLength(1);
  });

  it('is SKIPPED where nothing that it is about matches', async () => {
    const { issue } = await twoOfEverything(things);
    const choices = { trigger: { type: 'NEW_ISSUE' }, conditions: { severities: ['CRITICAL'] } };
    const { id } = await calls.make(receiver.url, choices);
    await things.trigger('NEW_ISSUE', issue);
    expect(await calls.settledRuns(id)).toMatchObject([
      { status: 'SKIPPED', reason: expect.stringContaining('match') },
    ]);
    expect(await calls.deliveries(id)).toEqual([]);
  });

  it('makes a run that is FAILED and says so where all actions are disabled', async () => {
    const { issue } = await twoOfEverything(things);
    const { id, actions } = await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' } });
    await calls.patch(id, { actions: actions.map((action) => ({ ...action, enabled: false })) });
    await things.trigger('NEW_ISSUE', issue);
    expect(await calls.settledRuns(id)).toMatchObject([
      { status: 'FAILED', reason: expect.stringContaining('disabled') },
    ]);
  });

  it('makes one delivery for each enabled action', async () => {
    const { issue } = await twoOfEverything(things);
    const actions = [true, true, false].map((enabled) => ({
      type: 'EXPORT',
      integrationKind: 'WEBHOOK',
      enabled,
      parameters: { url: receiver.url },
    }));
    const { id } = await calls.make(receiver.url, { trigger: { type: 'NEW_ISSUE' }, actions });
    await things.trigger('NEW_ISSUE', issue);
    await receiver.has(2);
    expect(await calls.deliveries(id)).toHaveLength(2);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/common/crypto/uuid-v7.js';
import { type WorkflowTriggerType, workflowTriggerTypes } from '../../../src/scanning/vocabulary.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls, webhook } from '../../support/workflows.js';

// Of the public internet; no job runs here, so nothing is sent.
const url = 'https://192.0.32.10/hook';

let shop: TestApp;
let acme: InsertedOrganization;
let calls: WorkflowCalls;
beforeAll(async () => {
  shop = await startTestApp();
  acme = await insertOrganization(shop);
  calls = new WorkflowCalls(shop, acme);
});
afterAll(() => shop.close());

const values: Record<string, unknown> = {
  severities: ['HIGH'],
  categories: ['INJECTION'],
  issueStatuses: ['OPEN'],
  assetTypes: ['REST'],
  assetClasses: ['HOST'],
  tagIds: [uuidV7()],
  scanKinds: ['BLST_REST'],
  scanStatuses: ['RUNNING', 'FINISHED', 'FAILED'],
  profileIds: [uuidV7()],
  search: 'word',
};
const names = Object.keys(values);
const ofIssues = new Set(['severities', 'categories', 'issueStatuses']);
const ofAssets = ['assetTypes', 'assetClasses', 'tagIds', 'search'];

/** What can be asked of what a trigger is about. */
const possible: Record<WorkflowTriggerType, string[]> = {
  ASSET_FOUND: ofAssets,
  ASSET_UPDATED: ofAssets,
  NEW_ISSUE: names,
  ISSUE_UPDATED: names,
  SCAN_STARTED: names.filter((name) => !ofIssues.has(name)),
  SCAN_COMPLETED: names,
  SCAN_FAILED: names,
  INTEGRATION_FAILED: ['search'],
  LOCATION_DOWN: ['search'],
  MANUAL: names,
  SCHEDULE: names,
};

const triggerOf = (type: WorkflowTriggerType) => ({ type, ...(type === 'SCHEDULE' ? { cron: '0 6 * * *' } : {}) });

async function refusals(trigger: object, conditions: object): Promise<unknown[] | null> {
  const json = { name: 'Export', trigger, conditions, actions: [webhook(url)] };
  const { status, body } = await shop.api.post<{ detail: { loc: unknown[] }[] }>('/api/v1/workflows', {
    token: acme.admin.token,
    json,
  });
  if (status === 201) return null;
  expect(status).toBe(422);
  return body.detail.map(({ loc }) => loc);
}

describe.each(workflowTriggerTypes)('A workflow with the trigger %s', (type) => {
  it.each(names)('is made with a condition on %s where the trigger can meet it, and 422 else', async (name) => {
    const loc = possible[type].includes(name) ? null : [['body', 'conditions', name]];
    expect(await refusals(triggerOf(type), { [name]: values[name] })).toEqual(loc);
    const emptied = name === 'search' ? '' : [];
    expect(await refusals(triggerOf(type), { [name]: emptied })).toBeNull();
  });
});

describe('A condition on scan statuses', () => {
  it.each([
    ['SCAN_STARTED', 'RUNNING'],
    ['SCAN_COMPLETED', 'FINISHED'],
    ['SCAN_FAILED', 'FAILED'],
  ])('of %s is 422 without %s', async (type, status) => {
    const others = ['STARTING', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELED'].filter((one) => one !== status);
    expect(await refusals({ type }, { scanStatuses: others })).toEqual([['body', 'conditions', 'scanStatuses']]);
    expect(await refusals({ type }, { scanStatuses: [...others, status] })).toBeNull();
  });
});

describe('PATCH /api/v1/workflows/{id}', () => {
  const locOf = (body: unknown): unknown => (body as { detail: { loc: unknown }[] }).detail[0]?.loc;

  it('answers 422 at the trigger when that can meet the stored conditions no more, and at conditions that are sent', async () => {
    const { id } = await calls.make(url, { trigger: { type: 'NEW_ISSUE' }, conditions: { severities: ['HIGH'] } });
    const byTrigger = await calls.patch(id, { trigger: { type: 'ASSET_FOUND' } });
    expect([byTrigger.status, locOf(byTrigger.body)]).toEqual([422, ['body', 'trigger', 'type']]);
    const byBoth = await calls.patch(id, { trigger: { type: 'ASSET_FOUND' }, conditions: { categories: ['SCHEMA'] } });
    expect([byBoth.status, locOf(byBoth.body)]).toEqual([422, ['body', 'conditions', 'categories']]);
    expect(await calls.get(id)).toMatchObject({ trigger: { type: 'NEW_ISSUE' }, conditions: { severities: ['HIGH'] } });
  });

  it('changes a workflow that was stored with such a condition, where neither is sent', async () => {
    const { id } = await calls.make(url, { trigger: { type: 'ASSET_FOUND' } });
    const impossible = '{"severities": ["HIGH"]}';
    await shop.database.rows('UPDATE workflows SET conditions = $2 WHERE id = $1', [id, impossible]);
    const { status, body } = await calls.patch(id, { name: 'Renamed' });
    expect([status, body.name]).toEqual([200, 'Renamed']);
  });
});

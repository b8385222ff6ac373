import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { type WorkflowTriggerType, workflowTriggerTypes } from '../../../src/scanning/vocabulary.js';
import { publicUrl, workflowScene } from '../../support/workflow-scene.js';

const scene = workflowScene();

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
// The view of the conditions is checked as well: test/api/views/view-conditions.test.ts.
const names = Object.keys(values);
const ofIssues = new Set(['severities', 'categories', 'issueStatuses']);
const ofAssets = ['assetTypes', 'assetClasses', 'tagIds', 'search'];

/** The conditions that a trigger can meet. */
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

const refused = (trigger: object, conditions: object) => scene.calls.refusedPlaces(publicUrl, { trigger, conditions });

describe.each(workflowTriggerTypes)('A workflow with the trigger %s', (type) => {
  it.each(names)('accepts a condition on %s only when the trigger can meet it', async (name) => {
    const loc = possible[type].includes(name) ? null : [['body', 'conditions', name]];
    expect(await refused(triggerOf(type), { [name]: values[name] })).toEqual(loc);
    const emptied = name === 'search' ? '' : [];
    expect(await refused(triggerOf(type), { [name]: emptied })).toBeNull();
  });
});

describe('A condition on scan statuses', () => {
  it.each([
    ['SCAN_STARTED', 'RUNNING'],
    ['SCAN_COMPLETED', 'FINISHED'],
    ['SCAN_FAILED', 'FAILED'],
  ])('of %s is 422 without %s', async (type, status) => {
    const others = ['STARTING', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELED'].filter((one) => one !== status);
    expect(await refused({ type }, { scanStatuses: others })).toEqual([['body', 'conditions', 'scanStatuses']]);
    expect(await refused({ type }, { scanStatuses: [...others, status] })).toBeNull();
  });
});

describe('PATCH /api/v1/workflows/{id}', () => {
  const locOf = (body: unknown): unknown => (body as { detail: { loc: unknown }[] }).detail[0]?.loc;

  it('responds with 422 at the trigger when it cannot meet the stored conditions, and at the conditions that are sent', async () => {
    const { id } = await scene.calls.make(publicUrl, {
      trigger: { type: 'NEW_ISSUE' },
      conditions: { severities: ['HIGH'] },
    });
    const byTrigger = await scene.calls.patch(id, { trigger: { type: 'ASSET_FOUND' } });
    expect([byTrigger.status, locOf(byTrigger.body)]).toEqual([422, ['body', 'trigger', 'type']]);
    const byBoth = await scene.calls.patch(id, {
      trigger: { type: 'ASSET_FOUND' },
      conditions: { categories: ['SCHEMA'] },
    });
    expect([byBoth.status, locOf(byBoth.body)]).toEqual([422, ['body', 'conditions', 'categories']]);
    expect(await scene.calls.get(id)).toMatchObject({
      trigger: { type: 'NEW_ISSUE' },
      conditions: { severities: ['HIGH'] },
    });
  });

  it('changes a workflow stored with an impossible condition when neither is sent', async () => {
    const { id } = await scene.calls.make(publicUrl, { trigger: { type: 'ASSET_FOUND' } });
    const impossible = '{"severities": ["HIGH"]}';
    await scene.service.database.rows('UPDATE workflows SET conditions = $2 WHERE id = $1', [id, impossible]);
    const { status, body } = await scene.calls.patch(id, { name: 'Renamed' });
    expect([status, body.name]).toEqual([200, 'Renamed']);
  });
});

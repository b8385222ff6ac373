import { beforeAll, describe, expect, it } from '@jest/globals';
import { type EventTriggerType, eventTriggerTypes } from '../../../src/scanning/vocabulary.js';
import { holdToSchema, type PayloadSchemas } from '../../support/payload-schemas.js';
import { nothing, sentIds, twoOfEverything } from '../../support/two-of-everything.js';
import { workflowScene } from '../../support/workflow-scene.js';

const scene = workflowScene({ jobs: true });
let schemas: PayloadSchemas;
beforeAll(async () => {
  schemas = await holdToSchema(scene.service.baseUrl);
});

interface Sent {
  about: 'asset' | 'issue' | 'scan' | 'integration' | 'locationId';
  filled: string[];
}

const ofAsset: Sent = { about: 'asset', filled: ['assets'] };
const ofIssue: Sent = { about: 'issue', filled: ['issues', 'assets', 'scans', 'profiles'] };
const ofScan: Sent = { about: 'scan', filled: ['scans', 'issues', 'assets', 'profiles', 'locations'] };
const sentBy: Record<EventTriggerType, Sent> = {
  ASSET_FOUND: ofAsset,
  ASSET_UPDATED: ofAsset,
  NEW_ISSUE: ofIssue,
  ISSUE_UPDATED: ofIssue,
  SCAN_STARTED: ofScan,
  SCAN_COMPLETED: ofScan,
  SCAN_FAILED: ofScan,
  INTEGRATION_FAILED: { about: 'integration', filled: ['integrations'] },
  LOCATION_DOWN: { about: 'locationId', filled: ['locations'] },
};

describe('A trigger', () => {
  it.each(eventTriggerTypes)('%s sends its subjects and all that belongs to them', async (type) => {
    const { about: subject, filled } = sentBy[type];
    const two = await twoOfEverything(scene.things);
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type } });
    await scene.things.trigger(type, two[subject]);
    const about = {
      issues: [two.issue],
      assets: [two.asset],
      scans: [two.scan],
      profiles: [two.profile],
      locations: [two.locationId],
      integrations: [two.integration],
    };
    const expected = Object.entries(about).filter(([root]) => filled.includes(root));
    expect(await sentIds(scene.receiver, schemas)).toEqual({ ...nothing, ...Object.fromEntries(expected) });
    expect(await scene.calls.settledRuns(id)).toMatchObject([{ trigger: type, status: 'SENT', reason: null }]);
  });

  it('MANUAL sends everything', async () => {
    const { all } = await twoOfEverything(scene.things);
    await scene.calls.run((await scene.calls.make(scene.receiver.url)).id);
    expect(await sentIds(scene.receiver, schemas)).toEqual(all);
  });

  it('reaches every enabled workflow that listens to it, and no other', async () => {
    const { issue } = await twoOfEverything(scene.things);
    const listening = [1, 2].map(() => scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' } }));
    const deaf = [
      scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' }, enabled: false }),
      scene.calls.make(scene.receiver.url, { trigger: { type: 'ISSUE_UPDATED' } }),
    ];
    await Promise.all([...listening, ...deaf]);
    await scene.things.trigger('NEW_ISSUE', issue);
    await scene.receiver.has(2);
    for (const workflow of listening) expect(await scene.calls.settledRuns((await workflow).id)).toHaveLength(1);
    for (const workflow of deaf) expect(await scene.calls.runs((await workflow).id)).toEqual([]);
  });

  it('sends all of its subjects together', async () => {
    const { all } = await twoOfEverything(scene.things);
    await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' } });
    await scene.things.trigger('NEW_ISSUE', ...all.issues);
    expect((await sentIds(scene.receiver, schemas))['issues']).toEqual(all.issues);
    expect(scene.receiver.received).toHaveLength(1);
  });

  it('is SKIPPED when none of its subjects match', async () => {
    const { issue } = await twoOfEverything(scene.things);
    const choices = { trigger: { type: 'NEW_ISSUE' }, conditions: { severities: ['CRITICAL'] } };
    const { id } = await scene.calls.make(scene.receiver.url, choices);
    await scene.things.trigger('NEW_ISSUE', issue);
    expect(await scene.calls.settledRuns(id)).toMatchObject([
      { status: 'SKIPPED', reason: expect.stringContaining('match') },
    ]);
    expect(await scene.calls.deliveries(id)).toEqual([]);
  });

  it('makes a FAILED run with the reason when all actions are disabled', async () => {
    const { issue } = await twoOfEverything(scene.things);
    const { id, actions } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' } });
    await scene.calls.patch(id, { actions: actions.map((action) => ({ ...action, enabled: false })) });
    await scene.things.trigger('NEW_ISSUE', issue);
    expect(await scene.calls.settledRuns(id)).toMatchObject([
      { status: 'FAILED', reason: expect.stringContaining('disabled') },
    ]);
  });

  it('makes one delivery for each enabled action', async () => {
    const { issue } = await twoOfEverything(scene.things);
    const actions = [true, true, false].map((enabled) => ({
      type: 'EXPORT',
      integrationKind: 'WEBHOOK',
      enabled,
      parameters: { url: scene.receiver.url },
    }));
    const { id } = await scene.calls.make(scene.receiver.url, { trigger: { type: 'NEW_ISSUE' }, actions });
    await scene.things.trigger('NEW_ISSUE', issue);
    await scene.receiver.has(2);
    expect(await scene.calls.deliveries(id)).toHaveLength(2);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { WorkflowPreview } from '../../../src/scanning/webhook-export/preview.dto.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { twoOfEverything } from '../../support/two-of-everything.js';
import { publicUrl, workflowScene } from '../../support/workflow-scene.js';
import { webhook } from '../../support/workflows.js';

// preview.test.ts tests that a draft is shown as it would be once saved.

type Answer = WorkflowPreview & { code: string; detail: { loc: unknown[] }[] };

const scene = workflowScene();

function previewDraft(json: object, token = scene.organization.member.token) {
  return scene.service.api.post<Answer>('/api/v1/workflows/preview', { token, json });
}

const ofAction = ['body', 'actions', 0, 'parameters'];
const manual = { trigger: { type: 'MANUAL' } };

describe('POST /api/v1/workflows/preview', () => {
  it('counts matches, also of roots that no action sends', async () => {
    await twoOfEverything(scene.things);
    const none = { assets: 0, scans: 0, profiles: 0, locations: 0, integrations: 0 };
    const { body } = await previewDraft({ ...manual, actions: [webhook(publicUrl, { resources: ['issues'] })] });
    expect(body.counts).toEqual({ ...none, issues: body.matches['issues'] });
    expect(Object.values(body.matches).filter((count) => count > 0)).toHaveLength(6);
    const narrow = await previewDraft({ ...manual, conditions: { search: 'nothing has this', severities: [] } });
    expect(narrow.body.matches).toEqual({ ...none, issues: 0 });
  });

  it('shows all roots of a draft without actions, otherwise what the enabled actions send', async () => {
    await scene.things.profile();
    const bytes = JSON.stringify({ issues: [], assets: [], scans: [], profiles: [], locations: [], integrations: [] });
    const without = (await previewDraft(manual)).body;
    expect(without.counts).toMatchObject({ profiles: 1 });
    expect(without.actions).toEqual([{ id: null, payloadBytes: expect.any(Number) }]);
    expect((await previewDraft({ ...manual, actions: [] })).body).toEqual(without);
    const actions = [
      webhook(publicUrl, { resources: ['profiles'] }, { enabled: false }),
      webhook(publicUrl, { resources: ['issues'] }),
    ];
    const { body } = await previewDraft({ ...manual, actions });
    expect(body.counts).toMatchObject({ profiles: 0 });
    expect(body.actions).toEqual([{ id: null, payloadBytes: bytes.length }]);
    const [disabled] = actions;
    expect((await previewDraft({ ...manual, actions: [disabled] })).body.counts).toMatchObject({ profiles: 1 });
  });

  it('masks credentials for members, and shows them to admins', async () => {
    await scene.things.integration({ apiKey: 'AKIA1234567890ABCDEF' });
    const member = await previewDraft(manual);
    expect(JSON.stringify(member.body)).not.toContain('AKIA1234');
    const admin = await previewDraft(manual, scene.organization.admin.token);
    expect(admin.body.default).toMatchObject({ integrations: [{ parameters: { apiKey: 'AKIA1234567890ABCDEF' } }] });
    expect(member.body.credentials).toEqual(['integrations[0].parameters.apiKey']);
  });

  it('stores nothing of the draft, and repeats no secret in a refusal', async () => {
    const secret = `whsec_${Buffer.alloc(32, 'of-the-draft').toString('base64')}`;
    const headers = [{ name: 'Authorization', value: 'Bearer of-the-draft' }];
    const actions = [webhook(publicUrl, { secret, headers })];
    expect((await previewDraft({ ...manual, actions })).status).toBe(200);
    const kept = await scene.service.database.rows(
      `SELECT 1 FROM workflows UNION ALL SELECT 1 FROM workflow_actions UNION ALL SELECT 1 FROM workflow_runs
       UNION ALL SELECT 1 FROM audit_entries WHERE action LIKE 'workflow.%'`,
    );
    expect(kept).toEqual([]);
    const tooLong = { secret: 'whsec_of-the-draft'.repeat(20), headers: [{ name: 'X', value: '' }], url: 7 };
    const refused = await previewDraft({ ...manual, actions: [{ ...webhook(''), parameters: tooLong }] });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).not.toContain('of-the-draft');
  });

  it('takes the masks of a stored workflow for what is stored', async () => {
    const masks = { headers: [{ name: 'Authorization', value: '••••raft' }], secret: '••••raft' };
    expect((await previewDraft({ ...manual, actions: [webhook(publicUrl, masks)] })).status).toBe(200);
  });

  it.each([
    ['no trigger', {}, ['body', 'trigger']],
    ['a private address', { ...manual, actions: [webhook('http://127.0.0.9/')] }, [...ofAction, 'url']],
    ['half an address', { ...manual, actions: [webhook('https://')] }, [...ofAction, 'url']],
    [
      'a header that cannot be sent',
      { ...manual, actions: [webhook(publicUrl, { headers: [{ name: 'Host', value: 'x' }] })] },
      [...ofAction, 'headers', 0, 'name'],
    ],
    ['no signing secret', { ...manual, actions: [webhook(publicUrl, { secret: 'x' })] }, [...ofAction, 'secret']],
    ['a schedule without a time', { trigger: { type: 'SCHEDULE' } }, ['body', 'trigger', 'cron']],
    ['an unknown time zone', { trigger: { type: 'MANUAL', timeZone: 'Mars' } }, ['body', 'trigger', 'timeZone']],
    [
      'conditions that the trigger cannot meet',
      { trigger: { type: 'ASSET_FOUND' }, conditions: { severities: ['HIGH'] } },
      ['body', 'conditions', 'severities'],
    ],
    ['an unknown field', { ...manual, title: 'Export' }, ['body', 'title']],
    ['an endless name', { ...manual, name: 'x'.repeat(201) }, ['body', 'name']],
    [
      'more actions than a workflow may have',
      { ...manual, actions: Array(11).fill(webhook('x')) },
      ['body', 'actions'],
    ],
  ])('responds with 422 to %s', async (_, draft, loc) => {
    const { status, body } = await previewDraft(draft);
    expect(status).toBe(422);
    expect(body.detail.map((fault) => fault.loc)).toEqual([loc]);
  });

  it('is 403 for a viewer', async () => {
    expect((await previewDraft(manual, scene.organization.viewer.token)).status).toBe(403);
  });

  it('shares the queue of the previews of saved workflows', async () => {
    const { id } = await scene.calls.make(publicUrl);
    const { token } = scene.organization.admin;
    const held = await HeldTransaction.open(scene.service.database, 'LOCK TABLE locations IN ACCESS EXCLUSIVE MODE');
    const saved = () => scene.service.api.post<Answer>(`/api/v1/workflows/${id}/preview`, { token });
    // One preview is being made, ten wait.
    const asked = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? saved() : previewDraft(manual)));
    const first = await Promise.race(asked);
    expect(first.status).toBe(429);
    expect(first.body.code).toBe('previews_busy');
    await held.commit();
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort((one, other) => one - other);
    expect(statuses).toEqual([...Array<number>(11).fill(200), 429]);
  });
});

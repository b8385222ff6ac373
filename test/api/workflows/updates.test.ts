import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { SealedParameters } from '../../../src/platform/delivery/signing-secrets.js';
import { ActionSecrets } from '../../../src/scanning/workflows/action-secrets.js';
import { webhook } from '../../support/workflows.js';
import { workflowScene } from '../../support/workflow-scene.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const headers = [
  { name: 'Authorization', value: 'Bearer 0123456789' },
  { name: 'X-Short', value: 'abc' },
];
// A public address; no job runs here, so nothing is sent.
const url = 'https://192.0.32.10/hook?token=of-the-address';
const otherUrl = 'https://192.0.32.11/other';

const scene = workflowScene();

/** The stored first action. */
async function stored(workflowId: string): Promise<SealedParameters & { enabled: boolean; resources: unknown }> {
  const [row] = await scene.service.database.rows<{ id: string; sealed: string; enabled: boolean; resources: unknown }>(
    'SELECT id, parameters_sealed AS sealed, enabled, resources FROM workflow_actions WHERE workflow_id = $1 ORDER BY position',
    [workflowId],
  );
  if (!row) throw new Error('There is no action');
  const { id, sealed, enabled, resources } = row;
  return { ...scene.service.nest.get(ActionSecrets, { strict: false }).open(id, sealed), enabled, resources };
}

const whole = { url, secret, headers, enabled: false, resources: ['issues'] };
const make = () =>
  scene.calls.make(url, { actions: [webhook(url, { secret, headers, resources: ['issues'] }, { enabled: false })] });

describe('PATCH of an action', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['nothing', {}, {}],
    ['another address', { url: otherUrl }, { url: otherUrl }],
    ['no headers', { headers: [] }, { headers: [] }],
    ['another header', { headers: [{ name: 'X', value: 'y' }] }, { headers: [{ name: 'X', value: 'y' }] }],
    ['no secret', { secret: null }, { secret: null }],
    ['all resources', { resources: null }, { resources: null }],
    ['other resources', { resources: ['assets', 'assets'] }, { resources: ['assets'] }],
    ['nulls for what cannot be null', { url: null, headers: null }, {}],
  ])('changes only what is sent: %s', async (_name, parameters, changed) => {
    const { id, actions } = await make();
    const action = { id: actions[0]?.id, type: 'EXPORT', integrationKind: 'WEBHOOK', parameters };
    expect((await scene.calls.patch(id, { actions: [action] })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ ...whole, ...changed });
  });

  it('keeps headers and secret of an action sent without an id in the same position, but only for the same address', async () => {
    const { id } = await make();
    await scene.calls.patch(id, { actions: [webhook(url)] });
    expect(await stored(id)).toMatchObject(whole);
    await scene.calls.patch(id, { actions: [webhook(otherUrl)] });
    expect(await stored(id)).toMatchObject({ url: otherUrl, headers: [], secret: null });
  });

  it('responds with 422 for a new action without an address', async () => {
    const { id, actions } = await make();
    const known = { id: actions[0]?.id, type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: {} };
    const { status, body } = await scene.calls.patch(id, { actions: [known, { ...known, id: undefined }] });
    expect(status).toBe(422);
    const loc = ['body', 'actions', 1, 'parameters', 'url'];
    expect(body).toMatchObject({ detail: [{ loc, type: 'missing' }] });
  });
});

describe('PATCH of a trigger', () => {
  const schedule = { type: 'SCHEDULE', cron: '0 6 * * 1', timeZone: 'Europe/Berlin' };

  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{}, schedule],
    [{ cron: '0 7 * * 1' }, { ...schedule, cron: '0 7 * * 1' }],
    [
      { type: 'SCHEDULE', cron: '0 7 * * 1' },
      { ...schedule, cron: '0 7 * * 1' },
    ],
    [{ timeZone: 'Asia/Tokyo' }, { ...schedule, timeZone: 'Asia/Tokyo' }],
    [{ type: 'MANUAL' }, { type: 'MANUAL', cron: null, timeZone: 'Europe/Berlin' }],
  ])('keeps what is not sent: %j', async (trigger, expected) => {
    const { id } = await scene.calls.make(url, { trigger: schedule });
    expect((await scene.calls.patch(id, { trigger })).status).toBe(200);
    expect((await scene.calls.get(id)).trigger).toEqual(expected);
  });

  it.each([{ type: 'SCHEDULE' }, { type: 'MANUAL', cron: '0 7 * * 1' }])(
    'responds with 422 where the result is incomplete: %j',
    async (trigger) => {
      const { id } = await scene.calls.make(url);
      const { status, body } = await scene.calls.patch(id, { trigger });
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ loc: ['body', 'trigger', 'cron'] }] });
    },
  );
});

describe('GET /api/v1/workflows/{id}', () => {
  it('shows the full address to admins, and its origin and path to others', async () => {
    const { id } = await make();
    const list = (body: unknown) => JSON.stringify(body);
    for (const role of ['viewer', 'member'] as const) {
      const { token } = scene.organization[role];
      const one = await scene.service.api.get(`/api/v1/workflows/${id}`, { token });
      expect(one.body).toMatchObject({ actions: [{ parameters: { url: 'https://192.0.32.10/hook' } }] });
      expect(list((await scene.service.api.get('/api/v1/workflows?size=100', { token })).body)).not.toContain(
        'of-the-address',
      );
    }
    expect((await scene.calls.get(id)).actions[0]?.parameters.url).toBe(url);
  });

  it('shows when an enabled schedule is due next', async () => {
    const { id, nextRunAt } = await scene.calls.make(url, { trigger: { type: 'SCHEDULE', cron: '30 6 * * *' } });
    expect(nextRunAt).toMatch(/T06:30:00\.000Z$/);
    expect(Date.parse(String(nextRunAt))).toBeGreaterThan(Date.now());
    expect((await scene.calls.patch(id, { enabled: false })).body.nextRunAt).toBeNull();
    expect((await scene.calls.patch(id, { enabled: true })).body.nextRunAt).toBe(nextRunAt);
    expect((await scene.calls.patch(id, { trigger: { type: 'MANUAL' } })).body.nextRunAt).toBeNull();
  });
});

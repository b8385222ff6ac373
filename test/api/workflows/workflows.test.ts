import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { workflowsPage } from '../../../src/scanning/workflows/workflows.repository.js';
import type { ListedWorkflow } from '../../../src/scanning/workflows/workflows.dto.js';
import { scansOf } from '../../support/explain.js';
import { insertOrganization } from '../../support/organizations.js';
import { WorkflowCalls, webhook } from '../../support/workflows.js';
import { publicUrl, workflowScene } from '../../support/workflow-scene.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;

const scene = workflowScene();

const create = (json: Record<string, unknown>, token?: string) => scene.calls.create(publicUrl, json, token);
const refused = (json: Record<string, unknown>) => scene.calls.refusedPlaces(publicUrl, json);

describe('POST /api/v1/workflows', () => {
  it('makes a workflow with its defaults', async () => {
    const { status, body } = await create({});
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Export',
      enabled: true,
      trigger: { type: 'MANUAL', cron: null, timeZone: 'UTC' },
      conditions: {},
      throttleMs: 0,
      nextRunAt: null,
      actions: [
        {
          id: expect.any(String),
          type: 'EXPORT',
          integrationKind: 'WEBHOOK',
          enabled: true,
          disabledReason: null,
          previousSecretExpiresAt: null,
          parameters: { url: publicUrl, headers: [], secret: null, resources: null },
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('masks header values and secret on read', async () => {
    const parameters = { secret, headers: [{ name: 'Authorization', value: 'Bearer 0123456789' }] };
    const { body } = await create({ actions: [webhook(publicUrl, parameters)] });
    expect((await scene.calls.get(body.id)).actions[0]?.parameters).toEqual({
      url: publicUrl,
      headers: [{ name: 'Authorization', value: '••••6789' }],
      secret: `••••${secret.slice(-4)}`,
      resources: null,
    });
  });

  it.each(['member', 'viewer'] as const)('is 403 for a %s', async (role) => {
    expect((await create({}, scene.organization[role].token)).status).toBe(403);
  });

  it('accepts an API key of an admin, and not one of a viewer', async () => {
    const json = { name: 'Export', trigger: { type: 'MANUAL' }, actions: [webhook(publicUrl)] };
    const as = async (role: 'admin' | 'viewer') =>
      scene.service.api.post('/api/v1/workflows', {
        json,
        headers: { 'x-api-key': await scene.organization.key(role) },
      });
    expect((await as('admin')).status).toBe(201);
    expect((await as('viewer')).status).toBe(403);
  });

  it.each([
    ['no name', { name: undefined }, ['body', 'name']],
    ['an unknown trigger', { trigger: { type: 'FULL_MOON' } }, ['body', 'trigger', 'type']],
    ['an unknown severity', { conditions: { severities: ['HIGH', 'AWFUL'] } }, ['body', 'conditions', 'severities', 1]],
    ['a profile id that is none', { conditions: { profileIds: ['x'] } }, ['body', 'conditions', 'profileIds', 0]],
    ['no actions', { actions: [] }, ['body', 'actions']],
    ['more than ten actions', { actions: Array.from({ length: 11 }, () => webhook(publicUrl)) }, ['body', 'actions']],
    ['another action type', { actions: [{ ...webhook(publicUrl), type: 'MAIL' }] }, ['body', 'actions', 0, 'type']],
    [
      'an unknown resource',
      { actions: [webhook(publicUrl, { resources: ['x'] })] },
      ['body', 'actions', 0, 'parameters', 'resources', 0],
    ],
    [
      'an empty list of resources',
      { actions: [webhook(publicUrl, { resources: [] })] },
      ['body', 'actions', 0, 'parameters', 'resources'],
    ],
    ['a throttle of more than a day', { throttleMs: 86_400_001 }, ['body', 'throttleMs']],
    ['a schedule without cron', { trigger: { type: 'SCHEDULE' } }, ['body', 'trigger', 'cron']],
    [
      'a cron expression without schedule',
      { trigger: { type: 'MANUAL', cron: '* * * * *' } },
      ['body', 'trigger', 'cron'],
    ],
  ])('is 422 for %s', async (_name, json, loc) => {
    expect(await refused(json)).toEqual([loc]);
  });

  it.each(['*/10 * * * * *', '* * * *', 'every day', '61 * * * *', '0 0 31 2 *', 'H * * * *', '@daily'])(
    'is 422 for the cron expression %s',
    async (cron) => {
      expect(await refused({ trigger: { type: 'SCHEDULE', cron } })).toEqual([['body', 'trigger', 'cron']]);
    },
  );

  it.each(['* * * * *', '0 6 * * 1-5', '*/15 0-6,22 1,15 JAN-MAR MON'])(
    'accepts the cron expression %s',
    async (cron) => {
      expect((await create({ trigger: { type: 'SCHEDULE', cron } })).status).toBe(201);
    },
  );

  it.each(['Mars/Base', 'x y', ''])('is 422 for the time zone "%s"', async (timeZone) => {
    const trigger = { type: 'SCHEDULE', cron: '0 6 * * *', timeZone };
    expect(await refused({ trigger })).toEqual([['body', 'trigger', 'timeZone']]);
  });
});

describe('PATCH /api/v1/workflows/{id}', () => {
  it('changes the given fields and leaves the rest', async () => {
    const { id, ...before } = await scene.calls.make(publicUrl, {
      conditions: { severities: ['HIGH'] },
      throttleMs: 1_000,
    });
    const { status, body } = await scene.calls.patch(id, { name: 'Renamed', enabled: false });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, id, name: 'Renamed', enabled: false, updatedAt: expect.any(String) });
  });

  it('keeps a stored value whose mask is sent back', async () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer 0123456789' },
      { name: 'X-Short', value: 'abc' },
    ];
    const { id, actions } = await scene.calls.make(publicUrl, { parameters: { secret, headers } });
    await scene.calls.patch(id, { actions: [...actions].map((action) => ({ ...action, enabled: false })) });
    const [row] = await scene.service.database.rows<{ id: string; sealed: string }>(
      'SELECT id, parameters_sealed AS sealed FROM workflow_actions WHERE workflow_id = $1',
      [id],
    );
    const { ActionSecrets } = await import('../../../src/scanning/workflows/action-secrets.js');
    const stored = scene.service.nest.get(ActionSecrets, { strict: false }).open(row?.id ?? '', row?.sealed ?? '');
    expect(stored).toEqual({ url: publicUrl, secret, headers });
  });

  it('is 422 for a mask without a stored value', async () => {
    const { id } = await scene.calls.make(publicUrl);
    const { status } = await scene.calls.patch(id, {
      actions: [webhook(publicUrl, { headers: [{ name: 'X', value: '••••6789' }] })],
    });
    expect(status).toBe(422);
  });

  it('is 422 for the id of another workflow’s action', async () => {
    const other = await scene.calls.make(publicUrl);
    const { id } = await scene.calls.make(publicUrl);
    const { status, body } = await scene.calls.patch(id, {
      actions: [webhook(publicUrl, {}, { id: other.actions[0]?.id })],
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'actions', 0, 'id'] }] });
  });

  it('checks addresses as at creation', async () => {
    const { id } = await scene.calls.make(publicUrl);
    const { status, body } = await scene.calls.patch(id, { actions: [webhook('http://10.0.0.1/')] });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'actions', 0, 'parameters', 'url'] }] });
  });
});

describe('A workflow of another organization', () => {
  it('is 404 everywhere', async () => {
    const other = await insertOrganization(scene.service);
    const { id } = await scene.calls.make(publicUrl);
    const { token } = other.admin;
    const answers = await Promise.all([
      scene.service.api.get(`/api/v1/workflows/${id}`, { token }),
      scene.service.api.send('PATCH', `/api/v1/workflows/${id}`, { token, json: { name: 'Mine' } }),
      scene.service.api.delete(`/api/v1/workflows/${id}`, { token }),
      scene.service.api.post(`/api/v1/workflows/${id}/run`, { token }),
      scene.service.api.post(`/api/v1/workflows/${id}/preview`, { token }),
      scene.service.api.get(`/api/v1/workflows/${id}/runs`, { token }),
      scene.service.api.get(`/api/v1/workflows/${id}/deliveries`, { token }),
      scene.service.api.post(`/api/v1/workflows/${id}/deliveries/replay`, {
        token,
        json: { since: new Date().toISOString() },
      }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await scene.calls.get(id)).name).toBe('Export');
  });
});

describe('GET /api/v1/workflows', () => {
  it('pages newest first, for a viewer too', async () => {
    const globex = await insertOrganization(scene.service);
    const mine = new WorkflowCalls(scene.service, globex);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await mine.make(publicUrl)).id);
    const { token } = globex.viewer;
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const path = `/api/v1/workflows?size=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await scene.service.api.get<{ data: { id: string }[]; nextCursor: string | null }>(path, {
        token,
      });
      seen.push(...body.data.map(({ id }) => id));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it('shows the newest run and the number of failing deliveries of each, by indexes', async () => {
    const never = await scene.calls.make(publicUrl, { name: 'Never' });
    const ran = await scene.calls.make(publicUrl, { name: 'Ran' });
    const first = await scene.calls.run(ran.id);
    const last = await scene.calls.run(ran.id);
    const { database, api } = scene.service;
    await database.rows(
      `INSERT INTO webhook_deliveries (id, organization_id, workflow_id, run_id, url_sealed, payload_bytes, status)
       SELECT gen_random_uuid(), $1, $2, $3, '', 0, status
         FROM unnest('{RETRYING,EXHAUSTED,EXHAUSTED,DELIVERED,PENDING,CANCELED}'::text[]) AS status`,
      [scene.organization.id, ran.id, first],
    );
    const { token } = scene.organization.viewer;
    const { body } = await api.get<{ data: ListedWorkflow[] }>('/api/v1/workflows', { token });
    expect(body.data.map(({ id, lastRun, failingDeliveries }) => ({ id, lastRun, failingDeliveries }))).toEqual([
      { id: ran.id, lastRun: (await scene.calls.runs(ran.id))[0], failingDeliveries: 3 },
      { id: never.id, lastRun: null, failingDeliveries: 0 },
    ]);
    expect(body.data[0]?.lastRun).toMatchObject({ id: last, trigger: 'MANUAL', status: 'PENDING', reason: null });
    const [newest, sent] = await scene.calls.runs(ran.id);
    expect(newest?.deliveries).toEqual([]);
    // Those of an action that is gone are never sent.
    const statuses = ['CANCELED', 'CANCELED', 'CANCELED', 'DELIVERED', 'EXHAUSTED', 'EXHAUSTED'];
    expect(sent?.deliveries.map(({ status }) => status).sort()).toEqual(statuses);
    // Its latest results are not part of the version that If-Match compares.
    expect(await scene.calls.get(ran.id)).not.toHaveProperty('lastRun');
    const scans = await scansOf(database, workflowsPage.text, [scene.organization.id, 'infinity', last, 50]);
    expect(scans.filter((scan) => /^Seq Scan of (workflow_runs|webhook_deliveries)/.test(scan))).toEqual([]);
  });

  it('is 422 for a broken cursor', async () => {
    const { status } = await scene.service.api.get('/api/v1/workflows?cursor=x', {
      token: scene.organization.viewer.token,
    });
    expect(status).toBe(422);
  });
});

describe('POST /api/v1/workflows/{id}/run', () => {
  it('is 202 for a member and 403 for a viewer', async () => {
    const { id } = await scene.calls.make(publicUrl);
    const run = (token: string) => scene.service.api.post(`/api/v1/workflows/${id}/run`, { token });
    expect(await run(scene.organization.member.token)).toMatchObject({
      status: 202,
      body: { runId: expect.any(String) },
    });
    expect((await run(scene.organization.viewer.token)).status).toBe(403);
  });

  it('is 409 while the workflow is disabled', async () => {
    const { id } = await scene.calls.make(publicUrl, { enabled: false });
    const { status } = await scene.service.api.post(`/api/v1/workflows/${id}/run`, {
      token: scene.organization.admin.token,
    });
    expect(status).toBe(409);
  });
});

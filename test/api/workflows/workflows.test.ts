import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls, webhook } from '../../support/workflows.js';

const secret = `whsec_${randomBytes(32).toString('base64')}`;
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

function create(json: Record<string, unknown>, token = acme.admin.token) {
  return shop.api.post<{ id: string; detail: { loc: unknown[]; type: string; msg: string }[] }>('/api/v1/workflows', {
    token,
    json: { name: 'Export', trigger: { type: 'MANUAL' }, actions: [webhook(url)], ...json },
  });
}

async function locsOf(json: Record<string, unknown>): Promise<unknown[]> {
  const { status, body } = await create(json);
  expect(status).toBe(422);
  return body.detail.map(({ loc }) => loc);
}

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
          parameters: { url, headers: [], secret: null, resources: null },
        },
      ],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('masks header values and secret on read', async () => {
    const parameters = { secret, headers: [{ name: 'Authorization', value: 'Bearer 0123456789' }] };
    const { body } = await create({ actions: [webhook(url, parameters)] });
    expect((await calls.get(body.id)).actions[0]?.parameters).toEqual({
      url,
      headers: [{ name: 'Authorization', value: '••••6789' }],
      secret: `••••${secret.slice(-4)}`,
      resources: null,
    });
  });

  it.each(['member', 'viewer'] as const)('is 403 for a %s', async (role) => {
    expect((await create({}, acme[role].token)).status).toBe(403);
  });

  it('takes an API key of an admin, and not one of a viewer', async () => {
    const json = { name: 'Export', trigger: { type: 'MANUAL' }, actions: [webhook(url)] };
    const as = async (role: 'admin' | 'viewer') =>
      shop.api.post('/api/v1/workflows', { json, headers: { 'x-api-key': await acme.key(role) } });
    expect((await as('admin')).status).toBe(201);
    expect((await as('viewer')).status).toBe(403);
  });

  it.each([
    ['no name', { name: undefined }, ['body', 'name']],
    ['an unknown trigger', { trigger: { type: 'FULL_MOON' } }, ['body', 'trigger', 'type']],
    ['an unknown severity', { conditions: { severities: ['HIGH', 'AWFUL'] } }, ['body', 'conditions', 'severities', 1]],
    ['a profile id that is none', { conditions: { profileIds: ['x'] } }, ['body', 'conditions', 'profileIds', 0]],
    ['no actions', { actions: [] }, ['body', 'actions']],
    ['more than ten actions', { actions: Array.from({ length: 11 }, () => webhook(url)) }, ['body', 'actions']],
    ['another action type', { actions: [{ ...webhook(url), type: 'MAIL' }] }, ['body', 'actions', 0, 'type']],
    [
      'an unknown resource',
      { actions: [webhook(url, { resources: ['x'] })] },
      ['body', 'actions', 0, 'parameters', 'resources', 0],
    ],
    [
      'an empty list of resources',
      { actions: [webhook(url, { resources: [] })] },
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
    expect(await locsOf(json)).toEqual([loc]);
  });

  it.each(['*/10 * * * * *', '* * * *', 'every day', '61 * * * *', '0 0 31 2 *', 'H * * * *', '@daily'])(
    'is 422 for the cron expression %s',
    async (cron) => {
      expect(await locsOf({ trigger: { type: 'SCHEDULE', cron } })).toEqual([['body', 'trigger', 'cron']]);
    },
  );

  it.each(['* * * * *', '0 6 * * 1-5', '*/15 0-6,22 1,15 JAN-MAR MON'])(
    'takes the cron expression %s',
    async (cron) => {
      expect((await create({ trigger: { type: 'SCHEDULE', cron } })).status).toBe(201);
    },
  );

  it.each(['Mars/Base', 'x y', ''])('is 422 for the time zone "%s"', async (timeZone) => {
    const trigger = { type: 'SCHEDULE', cron: '0 6 * * *', timeZone };
    expect(await locsOf({ trigger })).toEqual([['body', 'trigger', 'timeZone']]);
  });
});

describe('PATCH /api/v1/workflows/{id}', () => {
  it('changes what is given and leaves the rest', async () => {
    const { id, ...before } = await calls.make(url, { conditions: { severities: ['HIGH'] }, throttleMs: 1_000 });
    const { status, body } = await calls.patch(id, { name: 'Renamed', enabled: false });
    expect(status).toBe(200);
    expect(body).toEqual({ ...before, id, name: 'Renamed', enabled: false, updatedAt: expect.any(String) });
  });

  it('keeps what is stored where its mask is sent back', async () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer 0123456789' },
      { name: 'X-Short', value: 'abc' },
    ];
    const { id, actions } = await calls.make(url, { parameters: { secret, headers } });
    await calls.patch(id, { actions: [...actions].map((action) => ({ ...action, enabled: false })) });
    const [row] = await shop.database.rows<{ id: string; sealed: string }>(
      'SELECT id, parameters_sealed AS sealed FROM workflow_actions WHERE workflow_id = $1',
      [id],
    );
    const { ActionSecrets } = await import('../../../src/scanning/workflows/action-secrets.js');
    const stored = shop.app.get(ActionSecrets, { strict: false }).open(row?.id ?? '', row?.sealed ?? '');
    expect(stored).toEqual({ url, secret, headers });
  });

  it('is 422 for a mask of nothing that is stored', async () => {
    const { id } = await calls.make(url);
    const { status } = await calls.patch(id, {
      actions: [webhook(url, { headers: [{ name: 'X', value: '••••6789' }] })],
    });
    expect(status).toBe(422);
  });

  it('is 422 for the id of no action of the workflow', async () => {
    const other = await calls.make(url);
    const { id } = await calls.make(url);
    const { status, body } = await calls.patch(id, { actions: [webhook(url, {}, { id: other.actions[0]?.id })] });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'actions', 0, 'id'] }] });
  });

  it('checks addresses as creation does', async () => {
    const { id } = await calls.make(url);
    const { status, body } = await calls.patch(id, { actions: [webhook('http://10.0.0.1/')] });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'actions', 0, 'parameters', 'url'] }] });
  });
});

describe('A workflow of another organization', () => {
  it('is 404 everywhere', async () => {
    const other = await insertOrganization(shop);
    const { id } = await calls.make(url);
    const { token } = other.admin;
    const answers = await Promise.all([
      shop.api.get(`/api/v1/workflows/${id}`, { token }),
      shop.api.send('PATCH', `/api/v1/workflows/${id}`, { token, json: { name: 'Mine' } }),
      shop.api.delete(`/api/v1/workflows/${id}`, { token }),
      shop.api.post(`/api/v1/workflows/${id}/run`, { token }),
      shop.api.post(`/api/v1/workflows/${id}/preview`, { token }),
      shop.api.get(`/api/v1/workflows/${id}/runs`, { token }),
      shop.api.get(`/api/v1/workflows/${id}/deliveries`, { token }),
      shop.api.post(`/api/v1/workflows/${id}/deliveries/replay`, { token, json: { since: new Date().toISOString() } }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    expect((await calls.get(id)).name).toBe('Export');
  });
});

describe('GET /api/v1/workflows', () => {
  it('pages newest first, for a viewer too', async () => {
    const globex = await insertOrganization(shop);
    const mine = new WorkflowCalls(shop, globex);
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) ids.unshift((await mine.make(url)).id);
    const { token } = globex.viewer;
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const path = `/api/v1/workflows?size=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await shop.api.get<{ data: { id: string }[]; nextCursor: string | null }>(path, { token });
      seen.push(...body.data.map(({ id }) => id));
      if (body.nextCursor === null) break;
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(ids);
  });

  it('is 422 for a broken cursor', async () => {
    const { status } = await shop.api.get('/api/v1/workflows?cursor=x', { token: acme.viewer.token });
    expect(status).toBe(422);
  });
});

describe('POST /api/v1/workflows/{id}/run', () => {
  it('is 202 for a member and 403 for a viewer', async () => {
    const { id } = await calls.make(url);
    const run = (token: string) => shop.api.post(`/api/v1/workflows/${id}/run`, { token });
    expect(await run(acme.member.token)).toMatchObject({ status: 202, body: { runId: expect.any(String) } });
    expect((await run(acme.viewer.token)).status).toBe(403);
  });

  it('is 409 while the workflow is disabled', async () => {
    const { id } = await calls.make(url, { enabled: false });
    const { status } = await shop.api.post(`/api/v1/workflows/${id}/run`, { token: acme.admin.token });
    expect(status).toBe(409);
  });
});

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

const header = (name: string, value = 'x') => ({ actions: [webhook(url, { headers: [{ name, value }] })] });

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
      actions: [
        {
          id: expect.any(String),
          type: 'EXPORT',
          integrationKind: 'WEBHOOK',
          enabled: true,
          disabledReason: null,
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

describe('The headers of an action', () => {
  it.each([
    ['a name of 256 characters', 'n'.repeat(256), 'x'],
    ['a value of 8,192 characters', 'X-Long', 'v'.repeat(8_192)],
    ['Latin-1', 'X-Latin', 'Grüße'],
    ['a tab', 'X-Tab', 'a\tb'],
    ['a Content-Type', 'content-type', 'text/plain'],
    ['webhook-id without a secret', 'webhook-id', '1'],
  ])('may have %s', async (_name, name, value) => {
    expect((await create(header(name, value))).status).toBe(201);
  });

  it.each([
    ['a name of 257 characters', 'n'.repeat(257)],
    ['no name', ''],
    ['a blank in the name', 'X Y'],
    ['a colon in the name', 'X:'],
    ['a line break in the name', 'X\r\nY'],
    ['a NUL in the name', 'X\0'],
    ['an umlaut in the name', 'Ü'],
    ...['Host', 'content-length', 'TRANSFER-ENCODING', 'Connection', 'Keep-Alive', 'Upgrade', 'TE', 'Trailer', 'Expect']
      .concat('Proxy-Authorization', 'proxy-x')
      .map((name): [string, string] => [name, name]),
  ])('may not have %s', async (_name, name) => {
    expect(await locsOf(header(name))).toEqual([['body', 'actions', 0, 'parameters', 'headers', 0, 'name']]);
  });

  it.each([
    ['8,193 characters', 'v'.repeat(8_193)],
    ['a CR', 'a\rb'],
    ['an LF', 'a\nb'],
    ['a NUL', 'a\0b'],
    ['an escape', 'a\u001bb'],
    ['what is beyond Latin-1', '€'],
  ])('may not have %s in a value', async (_name, value) => {
    const { status, body } = await create(header('X-Name', value));
    expect(status).toBe(422);
    expect(body.detail[0]?.loc).toEqual(['body', 'actions', 0, 'parameters', 'headers', 0, 'value']);
    expect(body.detail[0]).not.toHaveProperty('input');
  });

  it('are at most 50', async () => {
    const headers = Array.from({ length: 51 }, (_, n) => ({ name: `X-${n}`, value: 'x' }));
    expect((await create({ actions: [webhook(url, { headers: headers.slice(1) })] })).status).toBe(201);
    expect(await locsOf({ actions: [webhook(url, { headers })] })).toEqual([
      ['body', 'actions', 0, 'parameters', 'headers'],
    ]);
  });

  it('are distinct without case', async () => {
    const headers = ['X-One', 'x-one'].map((name) => ({ name, value: 'x' }));
    expect(await locsOf({ actions: [webhook(url, { headers })] })).toEqual([
      ['body', 'actions', 0, 'parameters', 'headers', 1, 'name'],
    ]);
  });

  it('may not be the signature itself beside a secret', async () => {
    const headers = [{ name: 'Webhook-Id', value: 'x' }];
    expect(await locsOf({ actions: [webhook(url, { headers, secret })] })).toEqual([
      ['body', 'actions', 0, 'parameters', 'headers', 0, 'name'],
    ]);
  });
});

describe('The secret of an action', () => {
  const of = (bytes: number) => `whsec_${randomBytes(bytes).toString('base64')}`;

  it.each([24, 32, 64])('may have %i bytes', async (bytes) => {
    expect((await create({ actions: [webhook(url, { secret: of(bytes) })] })).status).toBe(201);
  });

  it.each([of(23), of(65), 'whsec_', of(32).slice(6), `whsec_${'*'.repeat(40)}`, 'secret'])(
    'may not be %s',
    async (wrong) => {
      const { status, body } = await create({ actions: [webhook(url, { secret: wrong })] });
      expect(status).toBe(422);
      expect(body.detail[0]?.loc).toEqual(['body', 'actions', 0, 'parameters', 'secret']);
      expect(JSON.stringify(body)).not.toContain(wrong.length > 10 ? wrong : '"input"');
    },
  );
});

describe('The address of an action', () => {
  it.each([
    'http://localhost/',
    'http://127.0.0.1/',
    'http://2130706434/',
    'http://0x7f.0.0.2/',
    'http://0177.0.0.2/',
    'http://127.2/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.2]/',
    'http://[::127.0.0.2]/',
    'http://[64:ff9b::7f00:2]/',
    'http://10.0.0.1/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://224.0.0.1/',
    'http://[fe80::1]/',
    'http://[fc00::1]/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'https://user:password@example.com/',
    'https://example.com:0/',
    'not a url',
    '/relative',
  ])('may not be %s', async (wrong) => {
    expect(await locsOf({ actions: [webhook(url), webhook(wrong)] })).toEqual([
      ['body', 'actions', 1, 'parameters', 'url'],
    ]);
  });

  it('may be a host that does not resolve', async () => {
    expect((await create({ actions: [webhook('https://nobody.invalid/hook')] })).status).toBe(201);
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

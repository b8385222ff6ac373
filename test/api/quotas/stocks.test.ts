import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Quotas, readQuotas } from '../../../src/config/quotas.js';
import { EnvironmentReader } from '../../../src/config/environment-reader.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiAnswer, ApiClient } from '../../support/api-client.js';
import { insertMembership, insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { resourceBodies } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type Thing = { id: string; invitationId?: string };
type Answer = ApiAnswer<Partial<Thing> & { code?: string; detail?: string }>;

/** How one item is made and removed over HTTP, and how many there are at the start. */
interface Stock {
  make: (api: ApiClient, number: number) => Promise<Answer>;
  remove: (thing: Partial<Thing>) => Promise<Answer>;
  from?: number;
}

const address = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  address: '12 St James Square',
  city: 'London',
  zip_code: 'SW1Y 4JH',
  country: 'United Kingdom',
};

const limit = 4;
/**
 * Tested elsewhere: concurrency limits in event-searches, event-stream and rates.test.ts; uploads and orders beside their others,
 * and notes in order-desk.test.ts, since none is removed; branches below, since imports name them.
 */
const elsewhere = new Set([
  'searches',
  'followers',
  'imports',
  'uploads',
  'uploadMegabytes',
  'unpaidOrders',
  'orderNotes',
  'branches',
]);
const quotas: Quotas = readQuotas(new EnvironmentReader({}));
const stockNames = Object.entries(quotas)
  .filter(([, { windowSeconds, drainsInSeconds }]) => !windowSeconds && !drainsInSeconds)
  .filter(([key]) => !elsewhere.has(key))
  .map(([key]) => key as keyof Quotas);

let app: TestApp;
let nodes: ApiClient[];
let acme: InsertedOrganization;
let maker: InsertedUser;
let stocks: Record<string, Stock>;
beforeAll(async () => {
  const env = { QUOTAS: [...stockNames, 'branches' as const].map((name) => `${quotas[name].name}=${limit}`).join(',') };
  app = await startTestApp({ env });
  nodes = [app.api, (await app.anotherNode()).api];
  acme = await insertOrganization(app);
  maker = await insertUser(app);
  const { token } = acme.admin;
  const owner = (await insertAdmin(app)).token;

  const resource = (module: keyof typeof resourceBodies): Stock => ({
    make: (api, number) => api.post(`/api/v1/${module}`, { token, json: resourceBodies[module](`thing-${number}`) }),
    remove: ({ id }) => app.api.delete(`/api/v1/${module}/${id}`, { token }),
  });
  const ofOrganization = `/api/v1/organizations/${acme.id}`;
  stocks = {
    profiles: resource('profiles'),
    tags: resource('tags'),
    locations: resource('locations'),
    integrations: resource('integrations'),
    assets: resource('assets'),
    workflows: {
      make: (api, number) => {
        const action = { type: 'EXPORT', integrationKind: 'WEBHOOK', parameters: { url: 'https://8.8.8.8/hook' } };
        const json = { name: `workflow ${number}`, trigger: { type: 'MANUAL' }, actions: [action] };
        return api.post('/api/v1/workflows', { token, json });
      },
      remove: ({ id }) => app.api.delete(`/api/v1/workflows/${id}`, { token }),
    },
    views: {
      make: (api, number) => api.post('/api/v1/views', { token, json: { name: `view ${number}`, filter: {} } }),
      remove: ({ id }) => app.api.delete(`/api/v1/views/${id}`, { token }),
    },
    apiKeys: {
      make: (api, number) =>
        api.post(`${ofOrganization}/api-keys`, { token, json: { name: `key ${number}`, role: 'viewer' } }),
      remove: ({ id }) => app.api.delete(`${ofOrganization}/api-keys/${id}`, { token }),
    },
    members: {
      from: 3,
      make: async (api) =>
        api.post(`${ofOrganization}/members`, { token, json: { userId: (await insertUser(app)).id, role: 'viewer' } }),
      remove: ({ invitationId }) => app.api.delete(`${ofOrganization}/invitations/${invitationId}`, { token }),
    },
    organizations: {
      make: (api, number) =>
        api.post('/api/v1/organizations', { token: maker.token, json: { name: `organization ${number}` } }),
      remove: async ({ id = '' }) => {
        await insertMembership(app, id, (await insertUser(app)).id, 'admin');
        return app.api.delete(`/api/v1/organizations/${id}/members/me`, { token: maker.token });
      },
    },
    addresses: {
      make: (api) => api.post('/api/v1/users/me/addresses', { token: maker.token, json: address }),
      remove: ({ id }) => app.api.delete(`/api/v1/users/me/addresses/${id}`, { token: maker.token }),
    },
    shopKeys: {
      make: (api, number) =>
        api.post('/api/v1/admin/keys', { token: owner, json: { name: `key ${number}`, scopes: ['orders:read'] } }),
      remove: ({ id }) => app.api.delete(`/api/v1/admin/keys/${id}`, { token: owner }),
    },
    shopViews: {
      make: (api, number) =>
        api.post('/api/v1/admin/views', { token: owner, json: { list: 'orders', name: `view ${number}`, query: '' } }),
      remove: ({ id }) => app.api.delete(`/api/v1/admin/views/${id}`, { token: owner }),
    },
    webhooks: {
      make: (api) =>
        api.post('/api/v1/admin/webhooks', {
          token: owner,
          json: { url: 'https://8.8.8.8/hook', events: ['order.paid'] },
        }),
      remove: ({ id }) => app.api.delete(`/api/v1/admin/webhooks/${id}`, { token: owner }),
    },
  };
});
afterAll(() => app.close());

function stockOf(name: string): Stock {
  const stock = stocks[name];
  if (!stock) throw new Error(`Nothing here makes ${name}`);
  return stock;
}

describe('Stock quotas', () => {
  it('are all tested here', () => {
    expect(Object.keys(stocks).sort()).toEqual([...stockNames].sort());
  });

  it.each(stockNames)(
    '%s: twelve concurrent requests on two nodes make exactly as many as the limit, and one more fits after a removal',
    async (name) => {
      const { make, remove, from = 0 } = stockOf(name);
      const left = limit - from;
      const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => make(nodes[n % 2] ?? app.api, n)));
      const made = answers.filter(({ status }) => status === 201);
      const refused = answers.filter(({ status }) => status !== 201);
      expect(made).toHaveLength(left);
      for (const { status, body, headers } of refused) {
        expect([status, body.code]).toEqual([403, 'quota_exceeded']);
        expect(body.detail).toContain(`The limit of ${limit} ${quotas[name].counts} is reached`);
        expect(body.detail).toContain(`(QUOTAS, ${quotas[name].name})`);
        expect(headers.get('ratelimit-policy')).toBe(`"${quotas[name].name}";q=${limit}`);
      }

      expect((await remove(made[0]?.body ?? {})).status).toBe(204);
      expect((await make(app.api, 100)).status).toBe(201);
      expect((await make(app.api, 101)).status).toBe(403);
    },
  );

  it('leave other organizations and users alone', async () => {
    const other = await insertOrganization(app);
    const { status } = await app.api.post('/api/v1/tags', { token: other.admin.token, json: { name: 'theirs' } });
    expect(status).toBe(201);
    const { token } = await insertUser(app);
    expect((await app.api.post('/api/v1/organizations', { token, json: { name: 'theirs' } })).status).toBe(201);
  });

  it('bind imports, which leave nothing behind when refused', async () => {
    const reports = await insertOrganization(app);
    const results = Array.from({ length: limit + 1 }, (_, n) => ({
      message: { text: 'x' },
      ruleId: 'r',
      locations: [{ physicalLocation: { artifactLocation: { uri: `https://host-${n}.example.com/` } } }],
    }));
    const json = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Scanner' } }, results }] };
    const answer = await app.api.post('/api/v1/scans/import', { token: reports.member.token, json });
    expect(answer).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } });
    for (const table of ['assets', 'scans', 'issues', 'profiles']) {
      expect(await app.database.rows(`SELECT FROM ${table} WHERE organization_id = $1`, [reports.id])).toHaveLength(0);
    }
  });
});

describe('The quota of branches', () => {
  it('binds imports on two nodes, and a closed branch makes room', async () => {
    const { token } = (await insertOrganization(app)).member;
    const physicalLocation = { artifactLocation: { uri: 'https://shop.example.com/' } };
    const results = [{ message: { text: 'x' }, ruleId: 'r', locations: [{ physicalLocation }] }];
    const json = { version: '2.1.0', runs: [{ tool: { driver: { name: 'Scanner' } }, results }] };
    const scanned = async (api: ApiClient, branch: string) => {
      const { status, body } = await api.post<{ code?: string }>(`/api/v1/scans/import?branch=${branch}`, {
        token,
        json,
      });
      return [status, body.code];
    };
    const [one = app.api, other = app.api] = nodes;
    for (const [n, api] of [one, other, one].entries()) expect(await scanned(api, `b${n}`)).toEqual([201, undefined]);
    const raced = await Promise.all([scanned(one, 'b3'), scanned(other, 'b4')]);
    expect(raced.sort(([left], [right]) => Number(left) - Number(right))).toEqual([
      [201, undefined],
      [403, 'quota_exceeded'],
    ]);
    expect(await scanned(one, 'b1')).toEqual([201, undefined]);
    expect(await scanned(one, 'b1&defaultBranch=b9')).toEqual([403, 'quota_exceeded']);
    const closed = await app.api.post('/api/v1/branches/close', { token, json: { name: 'b0' } });
    expect([closed.status, closed.body]).toEqual([200, expect.objectContaining({ closed: 1 })]);
    expect(await scanned(other, 'b5')).toEqual([201, undefined]);
    expect(await scanned(one, 'b6')).toEqual([403, 'quota_exceeded']);
  });
});

describe('POST /api/v1/organizations/{organizationId}/api-keys, again and again', () => {
  it('keeps the newest thousand ended keys', async () => {
    const { id, admin } = await insertOrganization(app);
    await app.database.rows(
      `INSERT INTO api_keys (id, organization_id, name, role, prefix, key_hash, created_at, revoked_at)
       SELECT gen_random_uuid(), $1, 'old', 'viewer', 'ssk_', gen_random_uuid(), now() - n * interval '1 minute', now()
         FROM generate_series(1, 1010) AS n`,
      [id],
    );
    const json = { name: 'new', role: 'viewer' };
    await app.api.post(`/api/v1/organizations/${id}/api-keys`, { token: admin.token, json });
    const [kept] = await app.database.rows(
      `SELECT count(*)::integer AS count, min(created_at) > now() - interval '1001 minutes' AS newest
         FROM api_keys WHERE organization_id = $1 AND revoked_at IS NOT NULL`,
      [id],
    );
    expect(kept).toEqual({ count: 1000, newest: true });
  });
});

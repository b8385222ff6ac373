import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct } from '../../support/goods.js';
import { insertOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { WorkflowCalls } from '../../support/workflows.js';

let app: TestApp;
let nodes: ApiClient[];
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

interface Edited {
  /** Makes one and returns the paths to read and to write it. */
  make: () => Promise<{ read: string; write: string; token: string }>;
  one: object;
  other: object;
  /** A body that leaves it as it was made. */
  nothing?: object;
  method?: 'put' | 'patch';
}

let coupons = 0;
const edited: Record<string, Edited> = {
  'A product of the administration': {
    make: async () => {
      const id = await insertProduct(app);
      return { read: `/api/v1/products/${id}`, write: `/api/v1/admin/products/${id}`, token: admin.token };
    },
    one: { name: 'One', price: 10.5 },
    other: { name: 'Other' },
  },
  'A product of the catalogue': {
    make: async () => {
      const path = `/api/v1/products/${await insertProduct(app)}`;
      return { read: path, write: path, token: admin.token };
    },
    one: { description: 'One' },
    other: { description: 'Other' },
  },
  'A coupon': {
    make: async () => {
      const path = `/api/v1/admin/coupons/${await insertCoupon(app, `MATCH-${++coupons}`)}`;
      return { read: path, write: path, token: admin.token };
    },
    one: { max_uses: 5, expires_at: '2030-01-01T00:00:00Z' },
    other: { max_uses: 6 },
  },
  'The answer to a review': {
    make: async () => {
      const { body } = await app.api.post<{ id: number }>(`/api/v1/reviews/product/${await insertProduct(app)}`, {
        token: (await insertUser(app)).token,
        json: { rating: 4 },
      });
      const path = `/api/v1/admin/reviews/${body.id}`;
      return { read: path, write: `${path}/answer`, token: admin.token };
    },
    one: { answer: 'One' },
    other: { answer: 'Other' },
    nothing: { answer: null },
  },
  'The answer to a testimonial': {
    make: async () => {
      const { body } = await app.api.post<{ id: number }>('/api/v1/testimonials/', {
        token: (await insertUser(app)).token,
        json: { content: 'Good' },
      });
      const path = `/api/v1/admin/testimonials/${body.id}`;
      return { read: path, write: `${path}/answer`, token: admin.token };
    },
    one: { answer: 'One' },
    other: { answer: 'Other' },
    nothing: { answer: null },
  },
  'The settings of the shop': {
    make: async () => {
      const path = '/api/v1/admin/shop';
      await app.api.patch(path, { token: admin.token, json: { name: null } });
      return { read: path, write: path, token: admin.token };
    },
    one: { name: 'One' },
    other: { name: 'Other' },
    method: 'patch',
  },
  'The own profile': {
    make: async () => {
      const { token } = await insertUser(app);
      return { read: '/api/v1/users/me/profile', write: '/api/v1/users/me/profile', token };
    },
    one: { bio: 'One' },
    other: { bio: 'Other' },
  },
  'A workflow': {
    make: async () => {
      const organization = await insertOrganization(app);
      const { id } = await new WorkflowCalls(app, organization).make('https://hooks.example.com/scans');
      const path = `/api/v1/workflows/${id}`;
      return { read: path, write: path, token: organization.admin.token };
    },
    one: { name: 'One', throttleMs: 60_000 },
    other: { name: 'Other' },
    method: 'patch',
  },
  'An organization': {
    make: async () => {
      const { id, admin: its } = await insertOrganization(app);
      const path = `/api/v1/organizations/${id}`;
      return { read: path, write: path, token: its.token };
    },
    one: { name: 'One' },
    other: { scopedWebhookExportPayload: true },
    method: 'patch',
  },
};

describe.each(Object.entries(edited))('%s', (_, { make, one, other, nothing = {}, method = 'put' }) => {
  async function made() {
    const { read, write, token } = await make();
    const get = () => app.api.get(read, { token });
    const put = (json: object, match?: string, api = app.api) =>
      api[method](write, { token, json, ...(match === undefined ? {} : { headers: { 'if-match': match } }) });
    const etag = (await get()).headers.get('etag') ?? '';
    return { get, put, etag };
  }

  it('has a strong ETag, which is stable while nothing changes and comes with the response to a change', async () => {
    const { get, put, etag } = await made();
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    expect((await get()).headers.get('etag')).toBe(etag);
    const changed = (await put(one)).headers.get('etag');
    expect(changed).not.toBe(etag);
    expect((await get()).headers.get('etag')).toBe(changed);
  });

  it('is changed only with If-Match of its version, or *', async () => {
    const { get, put, etag } = await made();
    expect((await put(one, etag)).status).toBe(200);
    const { status, body } = await put(other, etag);
    expect([status, body]).toEqual([
      412,
      { detail: expect.stringContaining('read it again'), code: 'changed_meanwhile' },
    ]);
    const [field = '', value] = Object.entries(one)[0] ?? [];
    expect((await get()).body).toMatchObject({ [field]: value });
    const now = (await get()).headers.get('etag') ?? '';
    for (const match of ['', '"x"', `W/${now}`, now.slice(1, -1), ',,,'])
      expect((await put(other, match)).status).toBe(412);
    expect((await put(other, `"x", ${now}`)).status).toBe(200);
    expect((await put(one, '*')).status).toBe(200);
    expect((await put(other)).status).toBe(200);
  });

  it('checks the version even when there is nothing to change', async () => {
    const { put, etag } = await made();
    expect((await put(nothing, etag)).headers.get('etag')).toBe(etag);
    expect((await put(nothing, '"x"')).status).toBe(412);
  });

  it('is changed by one of ten concurrent requests with the same version, over two nodes', async () => {
    const { put, etag } = await made();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (__, n) => put(n % 2 ? one : other, etag, nodes[n % 2] ?? app.api)),
    );
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(200), count(412)]).toEqual([1, 9]);
  });
});

describe('If-Match', () => {
  it('detects that a product was sold meanwhile, so that no change overwrites a sale', async () => {
    const id = await insertProduct(app, { stock: 10 });
    const etag = (await app.api.get(`/api/v1/products/${id}`)).headers.get('etag') ?? '';
    const buyer = await insertUser(app);
    await fillCart(app, buyer, [id]);
    await checkout(app.api, buyer);
    const headers = { 'if-match': etag };
    const { status } = await app.api.put(`/api/v1/admin/products/${id}`, {
      token: admin.token,
      json: { stock: 10 },
      headers,
    });
    expect(status).toBe(412);
  });

  it('bypasses neither access checks nor 404', async () => {
    const user = await insertUser(app);
    const headers = { 'if-match': '"x"' };
    const put = (path: string, token: string) => app.api.put(`/api/v1/admin/${path}`, { token, json: {}, headers });
    const long = { 'if-match': '"x", '.repeat(201) };
    const path = `/api/v1/admin/coupons/${await insertCoupon(app, 'LONG-MATCH')}`;
    expect((await app.api.put(path, { token: admin.token, json: {}, headers: long })).status).toBe(422);
    expect((await put(`coupons/1`, user.token)).status).toBe(403);
    expect((await put('coupons/2147483647', admin.token)).status).toBe(404);
    expect((await put('products/2147483647', admin.token)).status).toBe(404);
  });
});

describe('GET /api/v1/admin/coupons/{coupon_id}', () => {
  it('returns the coupon, and responds with 404 for an unknown one and 403 to a user', async () => {
    const id = await insertCoupon(app, 'ONE-OF-THEM', { percent: 12 });
    const get = (which: number, token = admin.token) => app.api.get(`/api/v1/admin/coupons/${which}`, { token });
    expect((await get(id)).body).toMatchObject({ id, code: 'ONE-OF-THEM', discount_percent: 12 });
    expect((await get(2_147_483_647)).status).toBe(404);
    expect((await get(id, (await insertUser(app)).token)).status).toBe(403);
  });
});

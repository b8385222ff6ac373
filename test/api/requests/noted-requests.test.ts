import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/database/database.js';
import type { NotedRequest, NotedRequestPage } from '../../../src/store/noted-requests/noted-requests.dto.js';
import { NotedRequestsService } from '../../../src/store/noted-requests/noted-requests.service.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiRequest } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let buyer: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  buyer = await insertUser(app);
});
afterAll(() => app.close());

const path = '/api/v1/admin/requests';
const list = async (query = '') =>
  (await app.api.get<NotedRequestPage>(`${path}${query}`, { token: admin.token })).body;
const story = (id: string, token = admin.token) => app.api.get<NotedRequest>(`${path}/${id}`, { token });
/** Waits for the request to be written, a second after its response. */
async function noted(id: string): Promise<NotedRequest> {
  await until(async () => (await story(id)).status === 200, `what became of ${id}`);
  return (await story(id)).body;
}
const withId = (id: string, token?: string): ApiRequest => ({ token, headers: { 'x-request-id': id } });

describe('What became of a request', () => {
  it('tells why an order was refused, to whom, and by its id alone', async () => {
    const product = await insertProduct(app, { name: 'Vase', stock: 1 });
    await fillCart(app, buyer, [product], 3);
    const { status, headers, body } = await checkout(app.api, buyer);
    expect(status).toBe(409);
    expect(await noted(headers.get('x-request-id') ?? '')).toMatchObject({
      kind: 'refused',
      method: 'POST',
      url: '/api/v1/orders/checkout',
      route: '/api/v1/orders/checkout',
      status: 409,
      code: 'insufficient_stock',
      refusal: (body as unknown as { detail: string }).detail,
      failure: null,
      user_id: buyer.id,
      username: buyer.username,
      address: '127.0.0.1',
    });
  });

  it('names the fields of an invalid one, not their values', async () => {
    const json = { product_id: 'Wonderland-99', quantity: 1 };
    await app.api.post('/api/v1/cart/add', { ...withId('invalid', buyer.token), json });
    const { refusal, code } = await noted('invalid');
    expect([code, refusal]).toEqual(['invalid', expect.stringContaining('body.product_id')]);
    expect(refusal).not.toContain('Wonderland');
  });

  it('keeps the tokens of links out of its address, and cuts what is long', async () => {
    await app.api.get(`/api/v1/orders/0?token=secret&filler=${'x'.repeat(3_000)}`, withId('long', buyer.token));
    const { url } = await noted('long');
    expect(url).toMatch(/^\/api\/v1\/orders\/0\?token=…&filler=x+$/);
    expect(url).toHaveLength(1_000);
  });

  it('tells what failed inside, and what was slow', async () => {
    const database = app.nest.get(Database);
    const rows = database.rows.bind(database);
    database.rows = () => Promise.reject(new Error('The relation is on fire'));
    try {
      // Not through the client, since no description promises a 500.
      const headers = { 'x-request-id': 'failed', authorization: `Bearer ${admin.token}` };
      expect((await fetch(`${app.baseUrl}/api/v1/admin/keys`, { headers })).status).toBe(500);
    } finally {
      database.rows = rows;
    }
    expect(await noted('failed')).toMatchObject({
      kind: 'failed',
      status: 500,
      failure: 'Error: The relation is on fire',
    });
    database.rows = async (...given: Parameters<typeof rows>) => {
      await new Promise((done) => setTimeout(done, 1_100));
      return rows(...given) as never;
    };
    try {
      await app.api.get('/api/v1/admin/keys', withId('slow', admin.token));
    } finally {
      database.rows = rows;
    }
    const slow = await noted('slow');
    expect([slow.kind, slow.status, slow.milliseconds >= 1_100]).toEqual(['slow', 200, true]);
  });

  it('is not kept of what went well, nor of refusals to strangers', async () => {
    await app.api.get('/api/v1/products/', withId('well'));
    await app.api.get('/api/v1/users/me/profile', withId('stranger'));
    await app.api.get('/api/v1/orders/0', withId('known', buyer.token));
    await noted('known');
    expect([(await story('well')).status, (await story('stranger')).status]).toEqual([404, 404]);
  });

  it('is for admins alone', async () => {
    expect((await app.api.get(path)).status).toBe(401);
    expect((await app.api.get(path, { token: buyer.token })).status).toBe(403);
    expect((await story('known', buyer.token)).status).toBe(403);
  });
});

describe('The list of requests', () => {
  it('has the newest first, by kind and account, a page at a time', async () => {
    const ids = (page: NotedRequestPage) => page.data.map(({ request_id: id }) => id);
    const first = await list('?size=2');
    const second = await list(`?size=2&cursor=${first.next_cursor}`);
    const all = await list();
    expect([...ids(first), ...ids(second)]).toEqual(ids(all).slice(0, 4));
    const refused = await list(`?kind=refused&username=${buyer.username}`);
    expect(ids(refused)).toEqual(expect.arrayContaining(['known', 'long', 'invalid']));
    expect(ids(refused)).not.toContain('failed');
    expect(ids(await list('?kind=failed'))).toEqual(['failed']);
    expect(ids(await list('?kind=slow'))).toEqual(expect.arrayContaining(['slow']));
    expect(ids(await list('?username=nobody'))).toEqual([]);
    expect((await app.api.get(`${path}?cursor=broken`, { token: admin.token })).status).toBe(422);
  });

  it('forgets what is older than a day', async () => {
    const count = async () =>
      (await app.database.rows<{ count: number }>('SELECT count(*)::integer AS count FROM noted_requests'))[0]?.count;
    const before = await count();
    await app.database.rows(
      `UPDATE noted_requests SET created_at = now() - interval '25 hours' WHERE request_id = 'known'`,
    );
    await app.nest.get(NotedRequestsService, { strict: false }).removeOld();
    expect(await count()).toBe((before ?? 0) - 1);
    expect((await story('known')).status).toBe(404);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ShopView } from '../../../src/store/views/shop-views.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/admin/views';

let app: TestApp;
let ada: InsertedUser;
let bob: InsertedUser;

beforeAll(async () => {
  app = await startTestApp();
  ada = await insertAdmin(app);
  bob = await insertAdmin(app);
});
beforeEach(async () => {
  await app.database.rows('DELETE FROM shop_views');
});
afterAll(() => app.close());

const paid = { list: 'orders', name: 'Paid', query: 'status=paid&sort=-total' };
const post = ({ token }: InsertedUser, json: object) => app.api.post<ShopView>(path, { token, json });
const namesFor = async ({ token }: InsertedUser, query = '') => {
  const { body } = await app.api.get<ShopView[]>(`${path}${query}`, { token });
  return body.map(({ name }) => name);
};

describe('Saved views of the shop', () => {
  it('keep the query of a list under a name, for the one who makes them', async () => {
    const { status, body } = await post(ada, { ...paid, name: ' Paid ' });
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), ...paid, shared: false, created_by: ada.username, created_at: expect.any(String) },
    ]);
    expect(await namesFor(ada)).toEqual(['Paid']);
    expect(await namesFor(bob)).toEqual([]);
    expect((await app.api.delete(`${path}/${body.id}`, { token: bob.token })).status).toBe(404);
    expect((await app.api.delete(`${path}/${body.id}`, { token: ada.token })).status).toBe(204);
    expect(await namesFor(ada)).toEqual([]);
  });

  it('are seen, and deleted, by every admin if they are shared', async () => {
    const { body } = await post(ada, { ...paid, shared: true });
    await post(bob, { list: 'products', name: 'Few left', query: 'low_stock=true' });
    expect(await namesFor(bob)).toEqual(['Few left', 'Paid']);
    expect(await namesFor(bob, '?list=orders')).toEqual(['Paid']);
    const { headers } = await app.api.get(`${path}?limit=1`, { token: bob.token });
    expect(headers.get('x-total-count')).toBe('2');
    expect((await app.api.delete(`${path}/${body.id}`, { token: bob.token })).status).toBe(204);
    expect(await namesFor(ada)).toEqual([]);
  });

  it('have a name once in a list, whatever its case, for oneself and for all', async () => {
    await post(ada, paid);
    const again = await app.api.post<{ code: string }>(path, { token: ada.token, json: { ...paid, name: 'PAID' } });
    expect([again.status, again.body.code]).toEqual([409, 'view_exists']);
    const others = [
      await post(bob, paid),
      await post(ada, { ...paid, shared: true }),
      await post(ada, { ...paid, list: 'products' }),
    ];
    expect(others.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect((await post(bob, { ...paid, shared: true })).status).toBe(409);
  });

  it.each([
    [{ list: 'customers' }],
    [{ name: ' ' }],
    [{ name: 'x'.repeat(101) }],
    [{ query: 'x'.repeat(2_001) }],
    [{ query: 5 }],
  ])('are refused with %j', async (fault) => {
    expect((await post(ada, { ...paid, ...fault })).status).toBe(422);
    expect(await namesFor(ada)).toEqual([]);
  });

  it("are not for customers, and go with their maker's account unless they are shared", async () => {
    const customer = await insertUser(app);
    expect((await post(customer, paid)).status).toBe(403);
    const leaver = await insertAdmin(app);
    await post(leaver, { ...paid, name: 'Mine' });
    await post(leaver, { ...paid, name: 'Ours', shared: true });
    const gone = await app.api.delete(`/api/v1/admin/users/${leaver.id}`, { token: ada.token });
    expect(gone.status).toBe(204);
    const rows = await app.database.rows('SELECT name, owner_id FROM shop_views');
    expect(rows).toEqual([{ name: 'Ours', owner_id: null }]);
    expect(await namesFor(ada)).toEqual(['Ours']);
  });
});

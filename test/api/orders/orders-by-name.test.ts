import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminOrder } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

const list = (query: string) => app.api.get<AdminOrder[]>(`/api/v1/admin/orders?${query}`, { token: admin.token });

describe('GET /api/v1/admin/orders, by name', () => {
  const found = async (query: string) => (await list(query)).body.map(({ id }) => id);

  it('finds words of the names of accounts and of who gets the order, without case and accents, from two letters', async () => {
    const [buyer, user] = [await insertUser(app, { username: 'buyer' }), await insertUser(app)];
    await app.api.put('/api/v1/users/me/profile', {
      token: buyer.token,
      json: { first_name: 'Zoë Amélie', last_name: "O'Hara-Łukasz" },
    });
    const rows = await app.database.rows<{ id: number }>(
      `INSERT INTO orders (user_id, total_price, created_at, shipping_first_name, shipping_last_name)
       VALUES ($1, 1, '2020-01-01', NULL, NULL), ($2, 1, '2020-01-02', 'Jürgen', 'Weißmüller') RETURNING id`,
      [buyer.id, user.id],
    );
    const [bought, sent] = rows.map(({ id }) => id);
    for (const name of ['zo', 'ZOE', 'amelie zoe', "o'hara", 'lukasz', 'hara-lu zoe', 'Zoe\u0308']) {
      expect([name, await found(`customer=${encodeURIComponent(name)}`)]).toEqual([name, [bought]]);
    }
    for (const name of ['ju', 'JURGEN weissm', 'Weiß', 'jürgen']) {
      expect([name, await found(`search=${encodeURIComponent(name)}`)]).toEqual([name, [sent]]);
    }
    expect(await found(`search=${sent}`)).toEqual([sent]);
    expect(await found(`search=%23${bought}`)).toEqual([bought]);
    for (const name of ['zoe jurgen', 'melie', '%%', "'':*", 'rgen']) {
      expect([name, await found(`search=${encodeURIComponent(name)}`)]).toEqual([name, []]);
    }
  });

  it.each([['x'.repeat(254)], ['a '.repeat(120)], ["' | ! & <-> :* \\ ()"], ['9'.repeat(30)]])(
    'takes any text: %j',
    async (text) => {
      for (const name of ['customer', 'search']) {
        expect((await list(`${name}=${encodeURIComponent(text)}`)).status).toBe(200);
      }
    },
  );
});

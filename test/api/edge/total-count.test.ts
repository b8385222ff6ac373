import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const many = 25;

let app: TestApp;
let admin: InsertedUser;
let maria: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertUser(app, { role: 'admin' });
  maria = await insertUser(app);
  await app.database.rows(
    `INSERT INTO products (name, price, stock, color) SELECT 'Lamp ' || n, n, 100, 'blue' FROM generate_series(1, $1) n`,
    [many],
  );
  await app.database.rows(
    `INSERT INTO users (id, username, email, password_hash, role)
     SELECT gen_random_uuid(), 'reader' || n, 'reader' || n || '@example.com', 'x', 'user' FROM generate_series(1, $1) n`,
    [many],
  );
  await app.database.rows(
    `INSERT INTO reviews (product_id, user_id, rating) SELECT 1, id, 5 FROM users WHERE username LIKE 'reader%'`,
  );
  await app.database.rows(
    `INSERT INTO testimonials (user_id, content, rating, is_featured)
     SELECT id, 'Good', 5, username LIKE '%1%' FROM users WHERE username LIKE 'reader%'`,
  );
  await app.database.rows(
    `INSERT INTO orders (user_id, total_price, status)
     SELECT $1, n, CASE WHEN n <= 5 THEN 'shipped' ELSE 'pending' END FROM generate_series(1, $2::integer) n`,
    [maria.id, many],
  );
  await app.database.rows(
    `INSERT INTO coupons (code, discount_percent, max_uses) SELECT 'C-' || n, 10, 5 FROM generate_series(1, $1) n`,
    [many],
  );
});
afterAll(() => app.close());

async function totalOf(address: string, token?: string): Promise<number> {
  const { status, headers } = await app.api.get(address, { token });
  expect(status).toBe(200);
  return Number(headers.get('x-total-count') ?? NaN);
}

async function counted(sql: string): Promise<number> {
  return Number((await app.database.rows<{ count: string }>(`SELECT count(*) FROM ${sql}`))[0]?.count);
}

/** Every list of the store with pages, and what it lists. */
const lists: [address: string, rows: string][] = [
  ['products/', 'products'],
  ['products/search/?q=lamp', `products WHERE name LIKE 'Lamp%'`],
  ['products/search/?q=lamp+1', `products WHERE name LIKE '%1%'`],
  ['products/filter/by-color?color=BLUE', `products WHERE color = 'blue'`],
  ['users/', 'users'],
  ['testimonials/', 'testimonials'],
  ['testimonials/?featured_only=true', 'testimonials WHERE is_featured'],
  ['reviews/product/1', 'reviews WHERE product_id = 1'],
  ['admin/users', 'users'],
  ['admin/products', 'products'],
  ['admin/orders', 'orders'],
  ['admin/orders?status_filter=shipped', `orders WHERE status = 'shipped'`],
  ['admin/coupons', 'coupons'],
];

describe.each(lists)('GET /api/v1/%s', (address, rows) => {
  it.each([
    ['a full page', 'limit=3'],
    ['the last page', 'skip=2&limit=100'],
    ['a page behind the last', 'skip=900&limit=3'],
  ])('says in X-Total-Count how long the list is, with %s', async (_, paging) => {
    const paged = `/api/v1/${address}${address.includes('?') ? '&' : '?'}${paging}`;
    const length = await counted(rows);
    // The second response comes from memory, if there is a cache.
    expect([await totalOf(paged, admin.token), await totalOf(paged, admin.token)]).toEqual([length, length]);
  });
});

describe.each([
  ['orders/', () => maria.token, `orders`],
  ['orders/coupons', () => undefined, 'coupons'],
])('GET /api/v1/%s, which has no pages', (address, token, rows) => {
  it('says in X-Total-Count how many it returns', async () => {
    expect(await totalOf(`/api/v1/${address}`, token())).toBe(await counted(rows));
  });
});

describe('X-Total-Count', () => {
  it('counts what was just written', async () => {
    const before = await totalOf('/api/v1/products/?limit=1');
    const json = { name: 'Lamp of today', price: 5, stock: 1, color: 'blue' };
    for (let added = 1; added <= 3; added++) {
      const { body } = await app.api.post<{ id: number }>('/api/v1/products/', { json });
      expect(await totalOf('/api/v1/products/?limit=1')).toBe(before + added);
      expect(await totalOf('/api/v1/products/search/?q=today&limit=1')).toBe(1);
      expect(await totalOf('/api/v1/products/filter/by-color?color=blue&limit=1')).toBe(many + 1);
      await app.api.delete(`/api/v1/admin/products/${body.id}`, { token: admin.token });
      expect(await totalOf('/api/v1/products/?limit=1')).toBe(before + added - 1);
      await app.api.post('/api/v1/products/', { json: { ...json, name: `Chair ${added}`, color: 'red' } });
    }
  });

  it('comes with a 304, too', async () => {
    const { headers } = await app.api.get('/api/v1/products/?limit=2');
    const again = await app.api.get('/api/v1/products/?limit=2', {
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    expect([again.status, again.headers.get('x-total-count')]).toEqual([304, headers.get('x-total-count')]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DashboardStats } from '../../../src/store/admin/dashboard.dto.js';
import type { RecentOrder } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { scansOf } from '../../support/explain.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const statuses = ['pending', 'paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled', 'refunded'];

let app: TestApp;
let admin: InsertedUser;
let buyer: InsertedUser;
let deletedBuyer: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

async function stats(): Promise<DashboardStats> {
  const { status, body } = await app.api.get<DashboardStats>('/api/v1/admin/stats', { token: admin.token });
  expect(status).toBe(200);
  return body;
}

async function recentOrders(query = ''): Promise<RecentOrder[]> {
  const path = `/api/v1/admin/recent-orders${query}`;
  const { status, body } = await app.api.get<RecentOrder[]>(path, { token: admin.token });
  expect(status).toBe(200);
  return body;
}

/** Two buyers, one of them deleted; an order of each status, the last again by the deleted one, a minute apart. */
async function fillShop(): Promise<void> {
  buyer = await insertUser(app);
  deletedBuyer = await insertUser(app);
  await app.database.rows(
    `INSERT INTO orders (user_id, status, total_price, created_at)
     SELECT CASE WHEN n > 8 THEN $1::uuid ELSE $2::uuid END, status, 10.10, timestamptz '2026-05-01 12:00Z' + n * interval '1 min'
       FROM unnest($3::text[]) WITH ORDINALITY AS t (status, n)`,
    [deletedBuyer.id, buyer.id, [...statuses, 'pending']],
  );
  await app.database.rows(
    `UPDATE users SET deleted_at = now(), username = NULL, email = NULL WHERE id = '${deletedBuyer.id}'`,
  );
  await app.database.rows(
    `INSERT INTO products (name, price, stock, deleted_at) VALUES
       ('none left', 1, 0, NULL), ('ten left', 1, 10, NULL), ('eleven left', 1, 11, NULL), ('gone', 1, 0, now())`,
  );
  await app.database.rows(`INSERT INTO testimonials (guest_name, content, rating) VALUES ('A', 'Good', 5)`);
}

describe('GET /api/v1/admin/stats and /recent-orders of an empty shop', () => {
  it('returns zeros', async () => {
    expect(await stats()).toEqual({
      total_users: 1,
      total_products: 0,
      total_orders: 0,
      total_testimonials: 0,
      total_revenue: 0,
      pending_orders: 0,
      low_stock_products: 0,
    });
  });

  it('returns no orders', async () => {
    expect(await recentOrders()).toEqual([]);
  });
});

describe('The dashboard of a shop with orders', () => {
  beforeAll(fillShop);

  it('counts everything, and as revenue what was paid and not refunded', async () => {
    expect(await stats()).toEqual({
      total_users: 2,
      total_products: 3,
      total_orders: 9,
      total_testimonials: 1,
      total_revenue: 50.5,
      pending_orders: 2,
      low_stock_products: 2,
    });
  });

  it.each([
    ['on hold', 'pending', 50.5],
    ['on hold', 'paid', 60.6],
    ['lost in the post', 'shipped', 60.6],
  ])('counts an order of the custom status "%s" by the stage it had reached: %s', async (status, reached, revenue) => {
    const [own] = await app.database.rows<{ id: number }>(
      'INSERT INTO orders (user_id, status, reached, total_price) VALUES ($1, $2, $3, 10.10) RETURNING id',
      [buyer.id, status, reached],
    );
    expect((await stats()).total_revenue).toBe(revenue);
    await app.database.rows('DELETE FROM orders WHERE id = $1', [own?.id]);
  });

  it('reads the figures in one statement', async () => {
    expect(await statementsOf(stats)).toEqual(['dashboard.stats']);
  });

  it('lists the newest orders first', async () => {
    const orders = await recentOrders('?limit=3');
    expect(orders.map(({ status }) => status)).toEqual(['pending', 'refunded', 'cancelled']);
    expect(orders[1]).toEqual({
      id: expect.any(Number),
      user_id: buyer.id,
      username: buyer.username,
      total_price: 10.1,
      status: 'refunded',
      created_at: '2026-05-01T12:08:00.000Z',
    });
  });

  it('shows the orders of a deleted account under the name "deleted"', async () => {
    expect(await recentOrders('?limit=1')).toMatchObject([{ user_id: deletedBuyer.id, username: 'deleted' }]);
  });

  it.each([
    ['', 9],
    ['?limit=0', 0],
    ['?limit=-5', 0],
    ['?limit=99999999999999999999', 9],
  ])('returns for "%s" %d orders', async (query, count) => {
    expect(await recentOrders(query)).toHaveLength(count);
  });

  it('reads the orders and the names of their owners in one statement, by an index', async () => {
    const [sql = '', ...others] = await statementsOf(() => recentOrders('?limit=3'));
    expect(others).toEqual([]);
    const scans = (await scansOf(app.database, sql, [])).join();
    expect(scans).toContain('orders_newest_idx');
    expect(scans).not.toContain('Seq Scan');
  });

  it('returns ten orders by default and a thousand at most', async () => {
    await app.database.rows(
      `INSERT INTO orders (user_id, total_price) SELECT '${buyer.id}', 1 FROM generate_series(1, 1100)`,
    );
    expect(await recentOrders()).toHaveLength(10);
    expect(await recentOrders('?limit=2000')).toHaveLength(1000);
  });

  it('responds with 422 to a limit that is no integer', async () => {
    expect((await app.api.get('/api/v1/admin/recent-orders?limit=ten', { token: admin.token })).status).toBe(422);
  });
});

describe('The dashboard', () => {
  it.each(['/api/v1/admin/stats', '/api/v1/admin/recent-orders'])('is for admins alone: %s', async (path) => {
    const { token } = await insertUser(app);
    expect((await app.api.get(path)).status).toBe(401);
    expect((await app.api.get(path, { token })).status).toBe(403);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Customer, mostCounted } from '../../../src/store/admin/customers.dto.js';
import { figuresOfCustomers } from '../../../src/store/admin/customers.repository.js';
import { orderStatuses, paidStatuses } from '../../../src/store/orders/order-status.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { readsOf, rowsIn, walksIn } from '../../support/explain.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
});
afterAll(() => app.close());

const figures = async (search: string) => {
  const { body } = await app.api.get<Customer[]>(`/api/v1/admin/users?search=${search}`, { token: admin.token });
  return body.map(({ username, orders_count, spent_total, last_order_at }) => ({
    username,
    orders_count,
    spent_total,
    last_order_at,
  }));
};

describe('GET /api/v1/admin/users', () => {
  it('tells how often and for how much each has bought, and when last', async () => {
    const buyer = await insertUser(app, { username: 'figures.buyer' });
    await insertUser(app, { username: 'figures.none' });
    await app.database.rows(
      `INSERT INTO orders (user_id, status, reached, total_price, paid_total, refunded_total, created_at) VALUES
         ($1, 'pending', 'pending', 1000, 0, 0, '2026-03-04T05:06:07Z'),
         ($1, 'paid', 'paid', 20.5, 20.5, 0, '2026-03-03T05:06:07Z'),
         ($1, 'completed', 'completed', 10, 10, 4.25, '2026-03-02T05:06:07Z'),
         ($1, 'refunded', 'paid', 500, 500, 500, '2026-03-01T05:06:07Z'),
         ($1, 'cancelled', 'pending', 100, 0, 0, '2026-02-01T05:06:07Z')`,
      [buyer.id],
    );
    expect(await figures('figures')).toEqual([
      { username: 'figures.none', orders_count: 0, spent_total: 0, last_order_at: null },
      {
        username: 'figures.buyer',
        orders_count: 5,
        spent_total: 26.25,
        last_order_at: '2026-03-04T05:06:07.000Z',
      },
    ]);
  });

  it('counts no more than the newest orders of an account, which an index lists', async () => {
    const many = await insertUser(app, { username: 'figures.many' });
    await app.database.rows(
      `INSERT INTO orders (user_id, status, reached, total_price)
       SELECT $1, 'paid', 'paid', 1 FROM generate_series(1, ${mostCounted + 500})`,
      [many.id],
    );
    await app.database.rows('ANALYZE orders');
    expect(await figures('figures.many')).toMatchObject([{ orders_count: mostCounted, spent_total: mostCounted }]);
    const values = [[many.id], paidStatuses, orderStatuses, mostCounted];
    const reads = await readsOf(app.database, figuresOfCustomers.text, values);
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBeLessThanOrEqual(mostCounted + 1);
  });
});

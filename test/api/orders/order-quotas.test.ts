import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { hasMostUnpaid, secondsUntilNextOrder } from '../../../src/store/orders/order-quotas.statements.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout, placeOrder } from '../../support/checkout.js';
import { scansOf } from '../../support/explain.js';
import { fillCart, insertCoupon, insertProduct, stockOf } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let product: number;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp({ env: { QUOTAS: 'orders=4,unpaid-orders=3' } });
  nodes = [app.api, (await app.anotherNode()).api];
  product = await insertProduct(app, { stock: 1_000 });
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

const insertOrders = (count: number, status: string, ago = '0 hours') =>
  app.database.rows(
    `INSERT INTO orders (user_id, total_price, status, created_at)
     SELECT $1, 1, $3, now() - $4::interval FROM generate_series(1, $2::integer)`,
    [user.id, count, status, ago],
  );

type Way = 'plain' | 'shipped' | 'with a key' | 'with a coupon';

async function order(how: Way) {
  await fillCart(app, user, [product]);
  return orderCart(how);
}

function orderCart(how: Way) {
  if (how === 'shipped') return checkout(app.api, user);
  if (how === 'with a coupon') return checkout(app.api, user, { coupon: 'OF-MANY' });
  return placeOrder(app.api, user, how === 'plain' ? undefined : `key of ${user.id}`);
}

const ways = ['plain', 'shipped', 'with a key', 'with a coupon'] as const;

describe('The quota of orders in a day', () => {
  beforeAll(() => insertCoupon(app, 'OF-MANY', { maxUses: 1_000 }));

  it.each(ways)('is told by a 429, and the cart and the stock stay as they were (%s)', async (how) => {
    await insertOrders(3, 'cancelled');
    await insertOrders(1, 'cancelled', '23 hours');
    const stock = await stockOf(app, product);
    const { status, body, headers } = await order(how);
    expect([status, body]).toEqual([
      429,
      {
        detail:
          'The limit of 4 orders that one user places in a day is reached: wait as long as Retry-After says. The operator of the service can change it (QUOTAS, orders)',
        code: 'rate_exceeded',
      },
    ]);
    const retryAfter = Number(headers.get('retry-after'));
    expect(retryAfter).toBeGreaterThan(3_000);
    expect(retryAfter).toBeLessThanOrEqual(3_600);
    expect(headers.get('ratelimit-policy')).toBe('"orders";q=4;w=86400');
    expect(await stockOf(app, product)).toBe(stock);
    const cart = await app.api.get<{ items: unknown[] }>('/api/v1/cart/', { token: user.token });
    expect(cart.body.items).toHaveLength(1);
  });

  it.each(ways)('counts no orders of the day before (%s)', async (how) => {
    await insertOrders(5, 'cancelled', '25 hours');
    await insertOrders(3, 'cancelled');
    expect((await order(how)).status).toBe(201);
    expect((await order(how === 'with a key' ? 'plain' : how)).status).toBe(429);
  });

  it('repeats the answer to a key also once it is used up', async () => {
    await insertOrders(3, 'cancelled');
    const first = await order('with a key');
    const again = await placeOrder(app.api, user, `key of ${user.id}`);
    expect([again.status, again.body]).toEqual([201, first.body]);
  });

  it('holds against twelve orders at once on two nodes', async () => {
    await insertOrders(2, 'cancelled');
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const api = nodes[n % 2] ?? app.api;
        for (;;) {
          await fillCart(app, user, [product]).catch(() => undefined);
          const { status } = await placeOrder(api, user);
          if (status !== 400) return status; // another one ordered the cart meanwhile
        }
      }),
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(2);
    expect(answers.filter((status) => status === 429)).toHaveLength(10);
  });

  it('is counted by an index', async () => {
    const sql = `SELECT ${secondsUntilNextOrder('$1', '$2')}, ${hasMostUnpaid('$1', '$2')}`;
    const scans = (await scansOf(app.database, sql, [user.id, 3])).join();
    expect(scans).toContain('orders_of_user_idx');
    expect(scans).not.toContain('Seq Scan');
  });
});

describe('The quota of unpaid orders', () => {
  beforeAll(() => app.database.rows(`UPDATE coupons SET max_uses = 1000`));

  it.each(ways)('is told by a 403 until one is paid or cancelled (%s)', async (how) => {
    await insertOrders(3, 'pending', '48 hours');
    const { status, body, headers } = await order(how);
    expect([status, body]).toEqual([
      403,
      {
        detail:
          'The limit of 3 orders of one user that are pending is reached: pay or cancel one first. The operator of the service can change it (QUOTAS, unpaid-orders)',
        code: 'quota_exceeded',
      },
    ]);
    expect(headers.get('ratelimit-policy')).toBe('"unpaid-orders";q=3');
    await app.database.rows(
      `UPDATE orders SET status = 'paid' WHERE id = (SELECT min(id) FROM orders WHERE user_id = $1)`,
      [user.id],
    );
    expect((await orderCart(how)).status).toBe(201);
  });
});

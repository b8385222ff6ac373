import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrderStatus } from '../../../src/store/orders/order-status.js';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, stockOf, usesOf } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let admin: InsertedUser;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
  admin = await insertAdmin(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

async function order(productIds?: number[], quantity = 1, coupon?: string): Promise<Order> {
  await fillCart(app, user, productIds ?? [await insertProduct(app)], quantity);
  return (await checkout(app.api, user, coupon === undefined ? {} : { coupon })).body;
}

async function orderThatIs(status: OrderStatus): Promise<Order> {
  const placed = await order();
  await app.database.rows('UPDATE orders SET status = $2 WHERE id = $1', [placed.id, status]);
  return Object.assign(placed, { status });
}

const list = (query = '', token = admin.token) => app.api.get<Order[]>(`/api/v1/admin/orders${query}`, { token });
const setStatus = (id: number | string, status: string, { api = app.api, token = admin.token } = {}) =>
  api.put<Order>(`/api/v1/admin/orders/${id}/status?new_status=${status}`, { token });

const next: Record<OrderStatus, OrderStatus[]> = {
  pending: ['paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled'],
  paid: ['processing', 'shipped', 'delivered', 'completed', 'cancelled', 'refunded'],
  processing: ['shipped', 'delivered', 'completed', 'cancelled', 'refunded'],
  shipped: ['delivered', 'completed', 'refunded'],
  delivered: ['completed', 'refunded'],
  completed: ['refunded'],
  cancelled: [],
  refunded: [],
};

describe('GET /api/v1/admin/orders', () => {
  it('returns the orders of all users by pages, newest first, with shipping', async () => {
    const first = Object.assign(await order(), { username: user.username, next_statuses: next.pending });
    user = await insertUser(app);
    const second = Object.assign(await order(), { username: user.username, next_statuses: next.pending });
    expect((await list('?limit=2')).body).toEqual([second, first]);
    expect((await list('?skip=1&limit=1')).body).toEqual([first]);
  });

  it('returns the orders of one status', async () => {
    const delivered = Object.assign(await orderThatIs('delivered'), {
      username: user.username,
      next_statuses: next.delivered,
    });
    const completed = Object.assign(await orderThatIs('completed'), {
      username: user.username,
      next_statuses: next.completed,
    });
    expect((await list('?status_filter=delivered')).body).toEqual([delivered]);
    expect((await list('?status_filter=completed')).body).toEqual([completed]);
  });

  it('returns no order for an unknown status, and all for an empty one', async () => {
    await order();
    expect((await list('?status_filter=lost')).body).toEqual([]);
    expect((await list('?status_filter=')).body.length).toBeGreaterThan(0);
  });

  it.each(['?skip=-5', '?limit=0', '?limit=-1', '?limit=100000', '?skip=99999999999999'])(
    'moves %s within bounds',
    async (query) => {
      expect((await list(query)).status).toBe(200);
    },
  );

  it('takes one statement besides the check of the token', async () => {
    await order();
    expect(await statementsOf(() => list())).toEqual(['orders.page.-created_at.00000000000']);
    expect(await statementsOf(() => list('?status_filter=paid'))).toEqual(['orders.page.-created_at.10000000000']);
  });

  it('responds with 403 to a user and 401 to a stranger', async () => {
    expect((await list('', user.token)).status).toBe(403);
    expect((await app.api.get('/api/v1/admin/orders')).status).toBe(401);
  });
});

describe('PUT /api/v1/admin/orders/{order_id}/status', () => {
  it('returns the order with its new status', async () => {
    const placed = await order();
    const { status, body } = await setStatus(placed.id, 'paid');
    expect(status).toBe(200);
    const paid = Object.assign(placed, { status: 'paid', next_statuses: next.paid });
    expect(body).toEqual(paid);
    expect((await app.api.get(`/api/v1/orders/${placed.id}`, { token: user.token })).body).toEqual(paid);
  });

  it('moves forward over any number of statuses', async () => {
    const { id } = await order();
    expect((await setStatus(id, 'shipped')).status).toBe(200);
    expect((await setStatus(id, 'completed')).status).toBe(200);
    expect((await setStatus(id, 'refunded')).status).toBe(200);
  });

  it.each([
    ['paid', 'pending'],
    ['shipped', 'processing'],
    ['shipped', 'cancelled'],
    ['completed', 'cancelled'],
    ['pending', 'refunded'],
    ['cancelled', 'paid'],
    ['refunded', 'pending'],
  ] as const)('responds with 409 to the way from %s to %s', async (from, to) => {
    const placed = await orderThatIs(from);
    const { status, body } = await setStatus(placed.id, to);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'impossible_transition' });
    expect((await list(`?status_filter=${from}&limit=1`)).body[0]?.id).toBe(placed.id);
  });

  it('lists the statuses that an order can move to, and says when it is final', async () => {
    const sentence = async (from: OrderStatus, to: string) =>
      (await setStatus((await orderThatIs(from)).id, to)).body as unknown;
    expect(await sentence('shipped', 'pending')).toMatchObject({
      detail: 'The order is shipped and cannot become pending; from there it can become delivered, completed, refunded',
    });
    expect(await sentence('cancelled', 'pending')).toMatchObject({
      detail: 'The order is cancelled, which is final: it cannot become pending',
    });
  });

  it.each([
    ['PAID', 'paid'],
    ['%20Shipped%20', 'shipped'],
    ['Canceled', 'cancelled'],
  ])('reads "%s" as %s', async (word, meant) => {
    const { id } = await order();
    const { status, body } = await setStatus(id, word);
    expect([status, body.status]).toEqual([200, meant]);
    expect((await list(`?status_filter=${word}&limit=1`)).body[0]).toMatchObject({ id, status: meant });
  });

  it('keeps a custom status as given, moves no stock by it, and leads on from it', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const { id } = await order([product], 2);
    for (const word of ['On Hold', 'bei der Post', 'x'.repeat(50), 'packed', 'pending', 'paid', 'On Hold', 'shipped']) {
      const { status, body } = await setStatus(id, encodeURIComponent(word));
      expect([status, body.status]).toEqual([200, word]);
      expect((await list(`?status_filter=${encodeURIComponent(word)}&limit=1`)).body[0]?.id).toBe(id);
    }
    expect(await stockOf(app, product)).toBe(8);
  });

  it.each(['cancelled', 'refunded'] as const)(
    'responds with 409 to a word of its own for an order that is %s',
    async (status) => {
      const { id } = await orderThatIs(status);
      expect((await setStatus(id, 'on-hold')).status).toBe(409);
    },
  );

  it('does not cancel a shipped order that is on hold', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const { id } = await order([product]);
    for (const word of ['shipped', 'on-hold']) await setStatus(id, word);
    expect((await setStatus(id, 'cancelled')).status).toBe(409);
    expect((await setStatus(id, 'refunded')).status).toBe(200);
    expect(await stockOf(app, product)).toBe(9);
  });

  it('does not cancel an order on hold that a node of the previous version shipped', async () => {
    const { id } = await orderThatIs('shipped');
    await setStatus(id, 'on-hold');
    expect((await setStatus(id, 'cancelled')).status).toBe(409);
  });

  it('changes nothing when the order already has the status', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const { id } = await order([product]);
    await setStatus(id, 'cancelled');
    expect((await setStatus(id, 'cancelled')).status).toBe(200);
    expect(await stockOf(app, product)).toBe(10);
  });

  it.each([
    ['', 'string_too_short'],
    ['%20%20', 'string_pattern_mismatch'],
    ['a%00b', 'string_unicode'],
    ['x'.repeat(51), 'string_too_long'],
  ])('responds with 422 to "%s"', async (word, type) => {
    const { status, body } = await setStatus((await order()).id, word);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'new_status'], type }] });
  });

  it('responds with 422 without new_status', async () => {
    const { status, body } = await app.api.put('/api/v1/admin/orders/1/status', { token: admin.token });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['query', 'new_status'], type: 'missing' }] });
  });

  it.each(['0', '2147483647', '99999999999'])('responds with 404 for the unknown order %s', async (id) => {
    expect((await setStatus(id, 'paid')).status).toBe(404);
  });

  it('responds with 403 to a user', async () => {
    const { id } = await order();
    expect((await setStatus(id, 'paid', { token: user.token })).status).toBe(403);
  });
});

describe('Cancelling an order', () => {
  it('returns its stock and its use of a coupon', async () => {
    const coupon = await insertCoupon(app, 'RETURNED');
    const one = await insertProduct(app, { stock: 10 });
    const two = await insertProduct(app, { stock: 10 });
    const { id } = await order([one, two], 3, 'RETURNED');
    expect([await stockOf(app, one), await stockOf(app, two), await usesOf(app, coupon)]).toEqual([7, 7, 1]);
    expect((await setStatus(id, 'cancelled')).body.items[0]?.product.stock).toBe(10);
    expect([await stockOf(app, one), await stockOf(app, two), await usesOf(app, coupon)]).toEqual([10, 10, 0]);
  });

  it('returns nothing of other orders of the same goods', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const [kept, cancelled] = [await order([product], 2), await order([product], 3)];
    await setStatus(cancelled.id, 'cancelled');
    expect(await stockOf(app, product)).toBe(8);
    await setStatus(kept.id, 'cancelled');
    expect(await stockOf(app, product)).toBe(10);
  });

  it('returns the stock of deleted products', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const { id } = await order([product]);
    await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [product]);
    await setStatus(id, 'cancelled');
    expect(await stockOf(app, product)).toBe(10);
  });

  it('exceeds no limit when the stock was raised to the largest in the meantime', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const { id } = await order([product]);
    await app.database.rows('UPDATE products SET stock = 2147483647 WHERE id = $1', [product]);
    expect((await setStatus(id, 'cancelled')).status).toBe(200);
    expect(await stockOf(app, product)).toBe(2_147_483_647);
  });

  it('works when the coupon has been deleted', async () => {
    const coupon = await insertCoupon(app, 'GONE-LATER');
    const { id, total_price } = await order(undefined, 1, 'GONE-LATER');
    const path = `/api/v1/admin/coupons/${coupon}`;
    expect((await app.api.delete(path, { token: admin.token })).status).toBe(204);
    const { status, body } = await setStatus(id, 'cancelled');
    expect([status, body.total_price]).toEqual([200, total_price]);
  });

  it('returns stock and coupon once for ten concurrent requests over two nodes', async () => {
    const coupon = await insertCoupon(app, 'ONCE', { currentUses: 5 });
    const product = await insertProduct(app, { stock: 10 });
    const { id } = await order([product], 4, 'ONCE');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => setStatus(id, 'cancelled', { api: nodes[index % 2] ?? app.api })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect([await stockOf(app, product), await usesOf(app, coupon)]).toEqual([10, 5]);
  });

  it('wins or loses as a whole against concurrent shipping', async () => {
    for (let round = 0; round < 10; round++) {
      const product = await insertProduct(app, { stock: 10 });
      const { id } = await order([product]);
      const [cancelling, shipping] = await Promise.all([
        setStatus(id, 'cancelled'),
        setStatus(id, 'shipped', { api: nodes[1] ?? app.api }),
      ]);
      expect([200, 409]).toContain(cancelling.status);
      expect(shipping.status).toBe(cancelling.status === 200 ? 409 : 200);
      expect(await stockOf(app, product)).toBe(cancelling.status === 200 ? 10 : 9);
    }
  });

  it('locks its products in the order of ids, as checkouts do', async () => {
    const low = await insertProduct(app);
    const high = await insertProduct(app);
    const { id } = await order([low, high]);
    const lock = 'SELECT FROM products WHERE id = $1 FOR UPDATE';
    const other = await HeldTransaction.open(app.database, lock, [low]);
    const cancelling = setStatus(id, 'cancelled');
    await other.blocks(1);
    await other.query(lock, [high]);
    await other.commit();
    expect((await cancelling).status).toBe(200);
    expect([await stockOf(app, low), await stockOf(app, high)]).toEqual([100, 100]);
  });
});

describe('The statuses that may follow', () => {
  it.each(Object.entries(next) as [OrderStatus, OrderStatus[]][])(
    'of %s are said in every answer to an admin, and are those that are taken',
    async (status, statuses) => {
      const { id } = await orderThatIs(status);
      const unchanged = await setStatus(id, status);
      const [listed] = (await list(`?number=${id}`)).body;
      const read = await app.api.get<Order>(`/api/v1/orders/${id}`, { token: admin.token });
      expect([unchanged.body, listed, read.body].map((one) => one?.next_statuses)).toEqual(Array(3).fill(statuses));
      for (const to of Object.keys(next) as OrderStatus[]) {
        const one = await orderThatIs(status);
        const moved = await setStatus(one.id, to);
        expect([to, moved.status]).toEqual([to, to === status || statuses.includes(to) ? 200 : 409]);
        if (moved.status === 200) expect(moved.body.next_statuses).toEqual(next[to]);
      }
    },
  );

  it('of an order that was shipped lack its cancelling, whatever word the shop has for it now', async () => {
    const { id } = await orderThatIs('shipped');
    const { body } = await setStatus(id, 'on%20hold');
    expect(body.next_statuses).toEqual(Object.keys(next).filter((to) => to !== 'cancelled'));
  });

  it('are said to the owner too, the same wherever the order is read', async () => {
    const placed = await order();
    expect(placed.next_statuses).toEqual(next.pending);
    const { body } = await app.api.get<Order>(`/api/v1/orders/${placed.id}`, { token: user.token });
    const { body: own } = await app.api.get<Order[]>('/api/v1/orders/', { token: user.token });
    expect([body.next_statuses, own[0]?.next_statuses]).toEqual([next.pending, next.pending]);
    const cancelled = await app.api.post<Order>(`/api/v1/orders/${placed.id}/cancel`, { token: user.token });
    expect(cancelled.body.next_statuses).toEqual([]);
  });
});

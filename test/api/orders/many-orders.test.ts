import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ordersPages } from '../../../src/store/orders/order-pages.statements.js';
import type { OrderTimeline } from '../../../src/store/orders/order-timeline.dto.js';
import type { AdminOrder, Order, OrderMoves } from '../../../src/store/orders/orders.dto.js';
import { searchedPeople } from '../../../src/store/users/name-search.statements.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { auditedBy } from '../../support/audit.js';
import { checkout } from '../../support/checkout.js';
import { scansOf } from '../../support/explain.js';
import { fillCart, insertCoupon, insertProduct, insertProducts, stockOf, usesOf } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
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

async function order(productIds?: number[], coupon?: string): Promise<Order> {
  await fillCart(app, user, productIds ?? [await insertProduct(app)]);
  return (await checkout(app.api, user, coupon === undefined ? {} : { coupon })).body;
}

const list = (query: string) => app.api.get<AdminOrder[]>(`/api/v1/admin/orders?${query}`, { token: admin.token });
const move = (order_ids: unknown, new_status: unknown, { api = app.api, token = admin.token } = {}) =>
  api.put<OrderMoves>('/api/v1/admin/orders/status', { token, json: { order_ids, new_status } });
const timeline = (id: number | string, token = admin.token) =>
  app.api.get<OrderTimeline>(`/api/v1/admin/orders/${id}/timeline`, { token });
const outcomes = ({ results }: OrderMoves) => results.map(({ outcome }) => outcome);

async function placedAt(moment: string): Promise<Order> {
  const placed = await order();
  await app.database.rows('UPDATE orders SET created_at = $2 WHERE id = $1', [placed.id, moment]);
  return placed;
}

describe('GET /api/v1/admin/orders, narrowed', () => {
  const ids = async (query: string) => (await list(query)).body.map(({ id }) => id);

  it('finds the orders of a period, its start included, its end excluded', async () => {
    const [first, second] = [await placedAt('2024-03-01T00:00:00Z'), await placedAt('2024-03-02T00:00:00Z')];
    expect(await ids('since=2024-03-01T00:00:00Z&until=2024-03-03T00:00:00Z')).toEqual([second.id, first.id]);
    expect(await ids('since=2024-03-01T00:00:00Z&until=2024-03-02T00:00:00Z')).toEqual([first.id]);
    expect(await ids('since=2024-03-01T00:00:00.001Z&until=2024-03-03T00:00:00Z')).toEqual([second.id]);
  });

  it("finds a customer's orders by id, or by part of the username or e-mail, ignoring case", async () => {
    const { id } = await order();
    expect(await ids(`customer=${user.id}`)).toEqual([id]);
    expect(await ids(`customer=${user.username.slice(2).toUpperCase()}`)).toEqual([id]);
    expect(await ids(`customer=${encodeURIComponent(user.email)}`)).toEqual([id]);
    expect(await ids(`customer=${user.username.slice(0, 3)}%25${user.username.slice(-2)}`)).toEqual([]);
  });

  it('finds one by its number, and none when another filter excludes it', async () => {
    const { id } = await order();
    expect(await ids(`number=${id}`)).toEqual([id]);
    expect(await ids(`number=${id}&status_filter=paid`)).toEqual([]);
    expect(await ids('number=2147483647')).toEqual([]);
  });

  it('counts what it finds', async () => {
    for (let count = 0; count < 3; count++) await order();
    const { body, headers } = await list(`customer=${user.id}&limit=1`);
    expect([body.length, headers.get('x-total-count')]).toEqual([1, '3']);
  });

  it('names the customer "deleted" once the account is deleted', async () => {
    const { id } = await order();
    await app.api.delete('/api/v1/users/me/profile', { token: user.token });
    expect((await list(`number=${id}`)).body[0]?.username).toBe('deleted');
  });

  it('is sorted by time or total, in either direction, within the filters', async () => {
    const buyer = await insertUser(app);
    const totals = [30, 10, 20, 10];
    const rows = await app.database.rows<{ id: number }>(
      `INSERT INTO orders (user_id, total_price, created_at)
       SELECT $1, total, '2021-01-01'::timestamptz + n * interval '1 day'
         FROM unnest($2::numeric[]) WITH ORDINALITY AS given(total, n) RETURNING id`,
      [buyer.id, totals],
    );
    const placed = rows.map(({ id }) => id);
    const sorted = async (sort: string) =>
      (await list(`customer=${buyer.id}&sort=${sort}`)).body.map(({ id }) => placed.indexOf(id));
    expect(await sorted('-created_at')).toEqual([3, 2, 1, 0]);
    expect(await sorted('created_at')).toEqual([0, 1, 2, 3]);
    expect(await sorted('total')).toEqual([1, 3, 2, 0]);
    expect(await sorted('-total')).toEqual([0, 2, 3, 1]);
    const all = (await list('sort=-total&limit=1000')).body.map(({ total_price }) => total_price);
    expect(all).toEqual(all.toSorted((one, other) => other - one));
    expect((await list('sort=-total&limit=2&skip=1')).body.map(({ total_price }) => total_price)).toEqual(
      all.slice(1, 3),
    );
  });

  it.each([
    'sort=price',
    'customer=a',
    'customer=%20%20%20',
    'number=x',
    'number=0.5',
    'since=yesterday',
    'until=1',
    'customer=a%00bc',
  ])('responds with 422 to %s', async (query) => {
    expect((await list(query)).status).toBe(422);
  });

  it('reads the index that fits its filters', async () => {
    const scans = async (given: object, sort: keyof typeof ordersPages = '-created_at') => {
      const { statement, values } = ordersPages[sort].of([0, 10], given);
      return (await scansOf(app.database, statement.text, values)).join();
    };
    await app.database.rows(`
      WITH buyers AS (
        INSERT INTO users (id, username, email, password_hash)
        SELECT gen_random_uuid(), 'buyer ' || n, n || '@buyers.example', 'x' FROM generate_series(1, 5000) AS n RETURNING id)
      INSERT INTO orders (user_id, total_price, created_at)
      SELECT id, 1, '2020-01-01'::timestamptz + n * interval '1 day' FROM buyers, generate_series(1, 4) AS n`);
    await app.database.rows('ANALYZE orders, users');
    expect(await scans({ since: '2024-01-01', until: '2024-02-01' })).toContain('orders_newest_idx');
    expect(await scans({ userId: user.id })).toContain('orders_of_user_idx');
    expect(await scans({ customer: searchedPeople('nobody') })).toContain('orders_of_user_idx');
    expect(await scans({}, 'created_at')).toContain('orders_newest_idx');
    for (const sort of ['total', '-total'] as const) {
      expect(await scans({}, sort)).toContain('orders_total_idx');
      expect(await scans({ since: '2020-01-01' }, sort)).toContain('orders_newest_idx');
      expect(await scans({ userId: user.id }, sort)).not.toContain('Seq Scan of orders');
    }
    const customer = searchedPeople('jo');
    expect(await scans({ customer })).toContain('orders_recipient_idx');
    for (const given of [{}, { since: '2024-01-01' }, { userId: user.id }, { customer }, { number: 5 }]) {
      expect(await scans(given)).not.toContain('Seq Scan of orders');
    }
  });
});

describe('PUT /api/v1/admin/orders/status', () => {
  it('moves each order by its own rules, and returns the outcome of each in the order of the request', async () => {
    const [pending, shipped, paid] = [await order(), await order(), await order()];
    await move([shipped.id], 'shipped');
    await move([paid.id], 'paid');
    const { status, body } = await move([2_147_483_647, shipped.id, pending.id, paid.id, pending.id], 'paid');
    expect(status).toBe(200);
    const none = { code: null, detail: null };
    expect(body.results).toEqual([
      { order_id: 2_147_483_647, outcome: 'not_found', ...none },
      {
        order_id: shipped.id,
        outcome: 'refused',
        code: 'impossible_transition',
        detail: expect.stringContaining('The order is shipped and cannot become paid'),
      },
      { order_id: pending.id, outcome: 'updated', ...none },
      { order_id: paid.id, outcome: 'unchanged', ...none },
    ]);
    const { body: stored } = await list(`customer=${user.id}`);
    expect(stored.map(({ status: now }) => now)).toEqual(['paid', 'shipped', 'paid']);
  });

  it('returns stock and coupons, and audits each moved order', async () => {
    const coupon = await insertCoupon(app, 'OF-MANY');
    const product = await insertProduct(app, { stock: 10 });
    const ids = [(await order([product], 'OF-MANY')).id, (await order([product], 'OF-MANY')).id];
    const entries = await auditedBy(app, () => move([...ids, ...ids], 'cancelled'));
    // Several are moved at a time, so either may be first.
    expect(entries.map(({ subject_id, actor_id }) => `${subject_id} by ${actor_id}`).sort()).toEqual(
      ids.map((id) => `${id} by ${admin.id}`).sort(),
    );
    expect([await stockOf(app, product), await usesOf(app, coupon)]).toEqual([10, 0]);
  });

  it('moves 500 at once', async () => {
    const rows = await app.database.rows<{ id: number }>(
      'INSERT INTO orders (user_id, total_price) SELECT $1, 1 FROM generate_series(1, 500) RETURNING id',
      [user.id],
    );
    const { body } = await move(rows.map(({ id }) => id).reverse(), 'paid');
    expect(outcomes(body)).toEqual(rows.map(() => 'updated'));
  });

  it.each([
    [[], 'paid'],
    [Array.from({ length: 501 }, (_, n) => n + 1), 'paid'],
    [[0], 'paid'],
    [[1.5], 'paid'],
    [['x'], 'paid'],
    [[2_147_483_648], 'paid'],
    ['1', 'paid'],
    [null, 'paid'],
    [[1], ''],
    [[1], 'x'.repeat(51)],
    [[1], 'a\0b'],
    [[1], null],
  ])('responds with 422 to %j, %j', async (order_ids, new_status) => {
    expect((await move(order_ids, new_status)).status).toBe(422);
  });

  it('responds with 403 to a user', async () => {
    expect((await move([1], 'paid', { token: user.token })).status).toBe(403);
  });

  it('does not deadlock with a request in the opposite order, nor with checkouts of the same products', async () => {
    const products = await insertProducts(app, 4, 1000);
    const ids: number[] = [];
    for (let count = 0; count < 12; count++) ids.push((await order(count % 2 ? products : products.toReversed())).id);
    const buyers = await Promise.all(Array.from({ length: 12 }, () => insertUser(app)));
    await Promise.all(buyers.map((buyer) => fillCart(app, buyer, products)));
    const [forward, backward, ...orders] = await Promise.all([
      move(ids, 'cancelled'),
      move(ids.toReversed(), 'cancelled', { api: nodes[1] ?? app.api }),
      ...buyers.map((buyer, n) => checkout(nodes[n % 2] ?? app.api, buyer)),
    ]);
    expect([forward, backward, ...orders].map(({ status }) => status)).toEqual([200, 200, ...buyers.map(() => 201)]);
    const moved = [...outcomes(forward.body), ...outcomes(backward.body)];
    expect(moved.toSorted()).toEqual([...ids.map(() => 'unchanged'), ...ids.map(() => 'updated')]);
    expect(await stockOf(app, products[0] ?? 0)).toBe(1000 - buyers.length);
  });

  it('holds no lock on earlier orders while it waits for one', async () => {
    const [first, second] = [await order(), await order()];
    const other = await HeldTransaction.open(app.database, 'SELECT FROM orders WHERE id = $1 FOR UPDATE', [second.id]);
    const moving = move([first.id, second.id], 'paid');
    await other.blocks(1);
    expect((await move([first.id], 'processing')).body.results[0]?.outcome).toBe('updated');
    await other.commit();
    expect(outcomes((await moving).body)).toEqual(['updated', 'updated']);
  });
});

describe('GET /api/v1/admin/orders/{order_id}/timeline', () => {
  it('says who placed the order, and who moved it from where to where, oldest first', async () => {
    const { id, created_at: at } = await order();
    const other = await insertAdmin(app);
    await move([id], 'paid');
    await move([id], 'shipped', { token: other.token });
    const { status, body } = await timeline(id);
    const actor = ({ id: actorId, username: name }: InsertedUser) => ({ kind: 'user', id: actorId, name });
    const moment = expect.any(String);
    expect([status, body]).toEqual([
      200,
      {
        events: [
          { at, what: 'placed', from: null, to: 'pending', actor: actor(user) },
          { at: moment, what: 'status_changed', from: 'pending', to: 'paid', actor: actor(admin) },
          { at: moment, what: 'status_changed', from: 'paid', to: 'shipped', actor: actor(other) },
          { at: moment, what: 'mail_sent', from: null, to: null, text: 'shipped', actor: actor(other) },
        ],
      },
    ]);
  });

  it('does not name deleted accounts', async () => {
    const { id } = await order();
    await app.api.delete('/api/v1/users/me/profile', { token: user.token });
    expect((await timeline(id)).body.events[0]?.actor).toEqual({ kind: 'user', id: user.id, name: null });
  });

  it('responds with 404 for an unknown order and 403 to a user', async () => {
    expect((await timeline(2_147_483_647)).status).toBe(404);
    expect((await timeline(1, user.token)).status).toBe(403);
  });
});

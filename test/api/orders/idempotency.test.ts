import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IdempotencyKeySweep } from '../../../src/store/idempotency/idempotency-key-sweep.js';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout, placeOrder, shipping } from '../../support/checkout.js';
import { addToCart, insertCoupon, insertProduct, stockOf } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let user: InsertedUser;
let product: number;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
  product = await insertProduct(app, { price: 10, stock: 50 });
  await addToCart(app, user, product, 2);
});

async function orderCount(): Promise<number> {
  return (await app.api.get<Order[]>('/api/v1/orders/', { token: user.token })).body.length;
}

async function ageKeys(interval: string): Promise<void> {
  await app.database.rows('UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE user_id = $1', [
    user.id,
    interval,
  ]);
}

async function keysOf(userId: string): Promise<string[]> {
  const rows = await app.database.rows<{ key: string }>('SELECT key FROM idempotency_keys WHERE user_id = $1', [
    userId,
  ]);
  return rows.map(({ key }) => key);
}

describe.each([
  ['POST /api/v1/orders/', (api: ApiClient, key?: string) => placeOrder(api, user, key)],
  ['POST /api/v1/orders/checkout', (api: ApiClient, key?: string) => checkout(api, user, key ? { key } : {})],
])('%s with an Idempotency-Key', (_, order) => {
  it('returns the same order for the same request, and orders once', async () => {
    const first = await order(app.api, 'the-key');
    await addToCart(app, user, product, 1);
    const second = await order(app.api, 'the-key');
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect(await orderCount()).toBe(1);
    expect(await stockOf(app, product)).toBe(48);
  });

  it('repeats the first response, whatever became of the order', async () => {
    const { body } = await order(app.api, 'first-answer');
    await app.database.rows(`UPDATE orders SET status = 'paid' WHERE id = $1`, [body.id]);
    expect((await order(app.api, 'first-answer')).body.status).toBe('pending');
  });

  it('makes one order for ten concurrent requests over two nodes', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (__, index) => order(nodes[index % 2] ?? app.api, 'ten-at-once')),
    );
    const orders = answers.filter(({ status }) => status === 201).map(({ body }) => body.id);
    expect(orders.length).toBeGreaterThan(0);
    expect(new Set(orders).size).toBe(1);
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([]);
    expect(await orderCount()).toBe(1);
    expect(await stockOf(app, product)).toBe(48);
  });

  it('responds with 409 while the first request is running, and with its response afterwards', async () => {
    const lock = 'SELECT FROM products WHERE id = $1 FOR UPDATE';
    const held = await HeldTransaction.open(app.database, lock, [product]);
    const first = order(app.api, 'running');
    await held.blocks(1);
    const second = await order(nodes[1] ?? app.api, 'running');
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ code: 'request_running' });
    await held.commit();
    const { status, body } = await first;
    expect(status).toBe(201);
    expect((await order(app.api, 'running')).body.id).toBe(body.id);
  });

  it('keeps no refusal: the key works again', async () => {
    await app.database.rows('UPDATE products SET stock = 1 WHERE id = $1', [product]);
    expect((await order(app.api, 'refused')).status).toBe(409);
    await app.database.rows('UPDATE products SET stock = 2 WHERE id = $1', [product]);
    expect((await order(app.api, 'refused')).status).toBe(201);
  });

  it('orders anew with a key that is 24 hours old', async () => {
    const first = await order(app.api, 'daily');
    await ageKeys('24 hours 1 second');
    await addToCart(app, user, product, 1);
    const second = await order(app.api, 'daily');
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await order(app.api, 'daily')).body.id).toBe(second.body.id);
  });

  it('returns the first order while the key is less than 24 hours old', async () => {
    const first = await order(app.api, 'almost');
    await ageKeys('23 hours 59 minutes');
    expect((await order(app.api, 'almost')).body.id).toBe(first.body.id);
  });

  it('belongs to the user: another user can order with the same key', async () => {
    const first = await order(app.api, 'shared');
    user = await insertUser(app);
    await addToCart(app, user, product);
    const second = await order(app.api, 'shared');
    expect(second.status).toBe(201);
    expect(second.body).toMatchObject({ user_id: user.id });
    expect(second.body.id).not.toBe(first.body.id);
  });

  it.each(['k', 'k'.repeat(255), `it's "one" % _ \\`])('takes the key %s', async (key) => {
    const first = await order(app.api, key);
    expect((await order(app.api, key)).body.id).toBe(first.body.id);
  });

  it.each([
    ['k'.repeat(256), 'string_too_long'],
    ['', 'string_too_short'],
  ])('responds with 422 for the key "%s"', async (key, type) => {
    const { status, body } = await app.api.post('/api/v1/orders/checkout', {
      token: user.token,
      json: { shipping },
      headers: { 'idempotency-key': key },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['header', 'idempotency-key'], type }] });
  });
});

describe('An Idempotency-Key', () => {
  it('responds with 422 to a request with another body', async () => {
    await insertCoupon(app, 'WITH-KEY');
    await checkout(app.api, user, { key: 'bodies' });
    for (const other of [{ shipping: { city: 'Shelbyville' } }, { coupon: 'WITH-KEY' }]) {
      const { status, body } = await checkout(app.api, user, { key: 'bodies', ...other });
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ loc: ['header', 'idempotency-key'], type: 'value_error' }] });
    }
  });

  it('accepts a body of the same meaning in another notation', async () => {
    const first = await checkout(app.api, user, { key: 'words' });
    const shown = {
      ...shipping,
      country: 'United States',
      shipping_method: 'standard',
      shipping_cost: 5.99,
      phone: null,
    };
    const second = await app.api.post<Order>('/api/v1/orders/checkout', {
      token: user.token,
      raw: JSON.stringify({
        coupon_code: null,
        extra: 1,
        shipping: Object.fromEntries(Object.entries(shown).toReversed()),
      }),
      headers: { 'idempotency-key': 'words', 'content-type': 'application/json' },
    });
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
  });

  it('responds with 422 on the other ordering route', async () => {
    await placeOrder(app.api, user, 'ways');
    expect((await checkout(app.api, user, { key: 'ways' })).status).toBe(422);
  });

  it('is removed by the sweep once it has expired', async () => {
    await placeOrder(app.api, user, 'aged');
    await ageKeys('25 hours');
    const other = await insertUser(app);
    await addToCart(app, other, product);
    await placeOrder(app.api, other, 'fresh');
    await app.nest.get(IdempotencyKeySweep).removeExpired();
    expect([await keysOf(user.id), await keysOf(other.id)]).toEqual([[], ['fresh']]);
  });

  it('orders nothing when its response is stored without holding the lock', async () => {
    const written = await HeldTransaction.open(
      app.database,
      `INSERT INTO idempotency_keys (user_id, key, request_hash, response) VALUES ($1, 'beside', 'another', '{}')`,
      [user.id],
    );
    const order = placeOrder(app.api, user, 'beside');
    await written.blocks(1);
    await written.commit();
    expect((await order).status).toBe(422);
    expect(await orderCount()).toBe(0);
    expect(await stockOf(app, product)).toBe(50);
  });
});

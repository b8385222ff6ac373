import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Changes } from '../../../src/database/changes.js';
import { shopItself } from '../../../src/store/shop/shop-cache-tags.js';
import { type InsertedUser, insertUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, insertCoupon, insertProduct, stockOf } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const hour = 3_600_000;

interface DescribedPost {
  requestBody: { content: { 'application/json': { example: { coupon_code: string } } } };
}

let app: TestApp;
let other: ApiClient;
let user: InsertedUser;
let product: number;

/** Sets the list of methods, as whoever runs the shop does. */
async function setMethods(sql: string): Promise<void> {
  await app.database.rows(sql);
  app.nest.get(Changes).invalidate([shopItself]);
}

const restore = `
  WITH gone AS (DELETE FROM shipping_methods WHERE code NOT IN ('standard', 'express'))
  INSERT INTO shipping_methods (code, name, cost, days, position)
  VALUES ('standard', 'Standard', 5.99, 5, 1), ('express', 'Express', 12.99, 2, 2)
  ON CONFLICT (code) DO UPDATE SET cost = excluded.cost, days = excluded.days, free_from = NULL`;

async function start(policy: string): Promise<void> {
  app = await startTestApp({ env: { ACCESS_POLICY: policy } });
  other = (await app.anotherNode()).api;
}

async function fillCart(): Promise<void> {
  user = await insertUser(app);
  product = await insertProduct(app, { price: 25, stock: 50 });
  await addToCart(app, user, product, 2);
}

describe('Under the hardened policy, POST /api/v1/orders/checkout', () => {
  beforeAll(() => start('hardened'));
  afterAll(() => app.close());
  beforeEach(async () => {
    await setMethods(restore);
    await fillCart();
  });

  it.each([
    ['takes standard at its cost where nothing is said', {}, 'standard', 5.99, 5],
    ['takes the cost of the list where none is sent', { shipping_method: 'express' }, 'express', 12.99, 2],
    ['takes the cost that is sent where it is the right one', { shipping_cost: 5.99 }, 'standard', 5.99, 5],
    ['reads a method without case', { shipping_method: ' Express ', shipping_cost: 12.99 }, 'express', 12.99, 2],
  ])('%s', async (_, shipping, method, cost, days) => {
    const { status, body } = await checkout(app.api, user, { shipping });
    expect(status).toBe(201);
    expect(body).toMatchObject({ shipping_method: method, shipping_cost: cost, total_price: 50 + cost });
    expect(Date.parse(body.estimated_delivery ?? '') - Date.parse(body.created_at)).toBe(days * 24 * hour);
  });

  it.each([
    ['a cost of 0', { shipping_cost: 0 }, 'shipping_cost', 'should be 5.99, which standard costs'],
    ['a cent less', { shipping_cost: 5.98 }, 'shipping_cost', 'should be 5.99'],
    ['a cent more', { shipping_cost: 6 }, 'shipping_cost', 'should be 5.99'],
    [
      "another method's cost",
      { shipping_method: 'express', shipping_cost: 5.99 },
      'shipping_cost',
      'should be 12.99, which express costs',
    ],
    ['an unknown method', { shipping_method: 'drone' }, 'shipping_method', 'of the shop: standard, express'],
    ['no cost and no method of the shop', { shipping_method: '__proto__' }, 'shipping_method', 'standard, express'],
  ])('refuses %s at its field, with and without a coupon, and takes nothing', async (_, shipping, field, sentence) => {
    await insertCoupon(app, `NONE-${user.username}`, { percent: 0.01 });
    for (const coupon of [null, `NONE-${user.username}`]) {
      const { status, body } = await checkout(app.api, user, { shipping, coupon });
      expect(status).toBe(422);
      expect(body).toMatchObject({
        detail: [{ loc: ['body', 'shipping', field], msg: expect.stringContaining(sentence) }],
      });
    }
    expect(await stockOf(app, product)).toBe(50);
    expect((await checkout(app.api, user)).status).toBe(201);
  });

  it.each([
    [50, 0],
    [50.01, 5.99],
    [0, 0],
  ])('ships free goods of 50.00 where that is free from %d: for %d', async (from, cost) => {
    await setMethods(`UPDATE shipping_methods SET free_from = ${from}`);
    const wrong = await checkout(app.api, user, { shipping: { shipping_cost: cost === 0 ? 5.99 : 0 } });
    expect(wrong.status).toBe(422);
    expect(JSON.stringify(wrong.body)).toContain(`Input should be ${cost},`);
    const { body } = await checkout(app.api, user, { shipping: { shipping_cost: cost } });
    expect(body).toMatchObject({ shipping_cost: cost, total_price: 50 + cost });
  });

  it('asks what the goods cost after discount', async () => {
    await setMethods('UPDATE shipping_methods SET free_from = 45');
    const tenth = `TENTH-${user.username}`;
    const fifth = `FIFTH-${user.username}`;
    await insertCoupon(app, tenth, { percent: 10 });
    await insertCoupon(app, fifth, { percent: 20 });
    expect((await checkout(app.api, user, { coupon: tenth })).body).toMatchObject({
      shipping_cost: 0,
      total_price: 45,
    });
    await addToCart(app, user, product, 2);
    expect((await checkout(app.api, user, { coupon: fifth })).body).toMatchObject({
      shipping_cost: 5.99,
      total_price: 45.99,
    });
  });

  it('ships by a method that costs nothing, and asks for one where there is none', async () => {
    await setMethods(`INSERT INTO shipping_methods VALUES ('pick-up', 'Pick up', 0, 0, NULL, 3)`);
    const shipping = { shipping_method: 'pick-up' };
    expect((await checkout(app.api, user, { shipping })).body).toMatchObject({ shipping_cost: 0, total_price: 50 });
    await setMethods('DELETE FROM shipping_methods');
    await addToCart(app, user, product, 1);
    const { status, body } = await checkout(app.api, user);
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('The shop lists no shipping methods');
  });

  it('repeats its answer to an Idempotency-Key, whatever became of the list', async () => {
    const shipping = { shipping_method: 'express', shipping_cost: 12.99 };
    const first = await checkout(app.api, user, { shipping, key: 'kept' });
    for (const change of [
      'UPDATE shipping_methods SET cost = 1',
      'UPDATE shipping_methods SET free_from = 0',
      'DELETE FROM shipping_methods',
    ]) {
      await setMethods(change);
      const again = await checkout(app.api, user, { shipping, key: 'kept' });
      expect([again.status, JSON.stringify(again.body)]).toEqual([201, JSON.stringify(first.body)]);
    }
    expect(await stockOf(app, product)).toBe(48);
  });

  it('follows a change of the list on every node, also one past the service', async () => {
    const read = () =>
      Promise.all([app.api, other].map((api) => checkout(api, user, { shipping: { shipping_cost: 7 } })));
    expect((await read()).map(({ status }) => status)).toEqual([422, 422]);
    await app.database.rows(`UPDATE shipping_methods SET cost = 7 WHERE code = 'standard'`);
    for (const api of [app.api, other]) {
      let answer = await checkout(api, user, { shipping: { shipping_cost: 7 } });
      while (answer.status === 422) answer = await checkout(api, user, { shipping: { shipping_cost: 7 } });
      expect(answer.body).toMatchObject({ shipping_cost: 7 });
      await addToCart(app, user, product, 1);
      expect((await checkout(api, user, { shipping: { shipping_cost: 5.99 } })).status).toBe(422);
    }
  });

  it('takes the example of the interface description', async () => {
    const { body } = await app.api.get<{ paths: Record<string, { post: DescribedPost }> }>('/openapi.json');
    const json = body.paths['/api/v1/orders/checkout']?.post.requestBody.content['application/json'].example;
    await insertCoupon(app, json?.coupon_code ?? '');
    const { status } = await app.api.post('/api/v1/orders/checkout', { token: user.token, json });
    expect(status).toBe(201);
  });

  it('takes one statement where the list was read a moment ago', async () => {
    await checkout(app.api, user);
    await addToCart(app, user, product, 1);
    const statements = await statementsOf(() => checkout(app.api, user, { shipping: { shipping_method: 'express' } }));
    expect(statements).toEqual(['orders.place']);
  });
});

describe('Under the contract policy, POST /api/v1/orders/checkout', () => {
  beforeAll(() => start('contract'));
  afterAll(() => app.close());
  beforeEach(fillCart);

  it.each([
    [{}, 'standard', 5.99],
    [{ shipping_method: 'express' }, 'express', 5.99],
    [{ shipping_method: 'Drone', shipping_cost: 0 }, 'Drone', 0],
    [{ shipping_cost: 1.5 }, 'standard', 1.5],
  ])('takes %j as it comes, in one statement', async (shipping, method, cost) => {
    const statements = await statementsOf(async () => {
      const { body } = await checkout(app.api, user, { shipping });
      expect(body).toMatchObject({ shipping_method: method, shipping_cost: cost, total_price: 50 + cost });
    });
    expect(statements).toEqual(['orders.place']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Quote } from '../../../src/store/orders/quotes.dto.js';
import { insertAdmin, type InsertedUser, insertUser } from '../../support/accounts.js';
import { checkout, placeOrder } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, stockOf, usesOf } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { cartOf } from './order-scene.js';

let app: TestApp;
let user: InsertedUser;
let shirt: number;
let lamp: number;

async function start(policy: string, quotas = 'coupon-guesses=5'): Promise<void> {
  app = await startTestApp({ env: { ACCESS_POLICY: policy, QUOTAS: quotas } });
  shirt = await insertProduct(app, { name: 'Linen shirt', price: 49.9, stock: 50 });
  lamp = await insertProduct(app, { name: 'Oak lamp', price: 20.05, stock: 2 });
}

const quote = (json: object = {}, token = user.token) => app.api.post<Quote>('/api/v1/orders/quote', { token, json });

async function newShopper(): Promise<void> {
  user = await insertUser(app);
}

describe('POST /api/v1/orders/quote', () => {
  beforeAll(() => start('contract'));
  afterAll(() => app.close());
  beforeEach(newShopper);

  it('says what a checkout of the cart would do, in one statement, and writes nothing', async () => {
    await fillCart(app, user, [lamp, shirt], 2);
    const cart = await cartOf(app, user);
    await quote();
    const statements = await statementsOf(async () => {
      expect((await quote({ shipping: { shipping_method: 'express', shipping_cost: 3 } })).body).toEqual({
        currency: 'USD',
        lines: [
          {
            product_id: shirt,
            name: 'Linen shirt',
            image_url: null,
            quantity: 2,
            stock: 50,
            price: 49.9,
            total: 99.8,
          },
          { product_id: lamp, name: 'Oak lamp', image_url: null, quantity: 2, stock: 2, price: 20.05, total: 40.1 },
        ],
        subtotal: 139.9,
        discount: 0,
        shipping_cost: 3,
        total_price: 142.9,
        coupon: null,
        shipping_methods: [
          { code: 'standard', name: 'Standard', cost: 5.99, days: 5, free_from: null, quoted_cost: 5.99 },
          { code: 'express', name: 'Express', cost: 12.99, days: 2, free_from: null, quoted_cost: 12.99 },
        ],
        problems: [],
      });
    });
    expect(statements).toEqual(['orders.quote']);
    expect(await cartOf(app, user)).toEqual(cart);
    expect([await stockOf(app, lamp), await stockOf(app, shirt)]).toEqual([2, 50]);
    expect(await app.database.rows('SELECT FROM orders WHERE user_id = $1', [user.id])).toEqual([]);
  });

  it.each([
    [undefined, 5.99],
    [null, 5.99],
    [{}, 5.99],
    [{ shipping_cost: 0 }, 0],
    [{ first_name: 'Ada', address: '', zip_code: null }, 5.99],
  ])('quotes shipping %j at %d', async (shipping, cost) => {
    await fillCart(app, user, [shirt]);
    expect((await quote({ shipping })).body).toMatchObject({ shipping_cost: cost, total_price: 49.9 + cost });
  });

  it('takes the discount of a coupon off, and counts none of its uses', async () => {
    await fillCart(app, user, [shirt], 2);
    const coupon = await insertCoupon(app, 'QUOTED10');
    const { body } = await quote({ coupon_code: ' quoted10 ' });
    expect(body).toMatchObject({ subtotal: 99.8, discount: 9.98, total_price: 95.81, problems: [] });
    expect(body.coupon).toEqual({
      code: 'QUOTED10',
      discount_percent: 10,
      is_valid: true,
      message: 'The coupon takes 10% off the goods',
    });
    expect(await usesOf(app, coupon)).toBe(0);
  });

  it('names every problem, in the sequence in which the checkout meets them, and takes no discount', async () => {
    await fillCart(app, user, [shirt], 51);
    await fillCart(app, user, [lamp], 3);
    await insertCoupon(app, 'OVER', { expiresAt: new Date(0) });
    const { body } = await quote({ coupon_code: 'over' });
    expect(body).toMatchObject({ discount: 0, coupon: { code: 'OVER', is_valid: false } });
    expect(body.problems).toEqual([
      { code: 'insufficient_stock', detail: expect.stringContaining('Only 50 of "Linen shirt"'), loc: null },
      { code: 'insufficient_stock', detail: expect.stringContaining('Only 2 of "Oak lamp"'), loc: null },
      { code: 'coupon_unusable', detail: expect.stringContaining('OVER has expired'), loc: null },
    ]);
  });

  it('quotes an empty cart, and one whose products are gone, as what cannot be ordered', async () => {
    const gone = await insertProduct(app);
    await fillCart(app, user, [gone]);
    await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [gone]);
    for (const { token } of [user, await insertUser(app)]) {
      const { body } = await quote({}, token);
      expect(body).toMatchObject({ lines: [], subtotal: 0, total_price: 5.99 });
      expect(body.problems.map(({ code }) => code)).toEqual(['empty_cart']);
    }
  });

  it('quotes for somebody who never had a cart', async () => {
    await app.database.rows('DELETE FROM carts WHERE user_id = $1', [user.id]);
    expect((await quote()).body.problems.map(({ code }) => code)).toEqual(['empty_cart']);
  });

  it('bounds the guessing of codes, also of many at once, and counts no code that there is', async () => {
    await fillCart(app, user, [shirt]);
    await insertCoupon(app, 'THERE');
    await insertCoupon(app, 'WAS-THERE', { isActive: false });
    for (let n = 0; n < 8; n++) await quote({ coupon_code: n % 2 ? 'THERE' : 'WAS-THERE' });
    const guesses = await Promise.all(Array.from({ length: 20 }, (_, n) => quote({ coupon_code: `GUESS-${n}` })));
    const statuses = guesses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(15);
    const { status, body, headers } = await quote({ coupon_code: 'THERE' });
    expect([status, body]).toEqual([429, { detail: expect.any(String), code: 'rate_exceeded' }]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await checkout(app.api, user, { coupon: 'THERE' })).status).toBe(429);
    expect((await quote()).status).toBe(200);
  });

  it.each([
    [{ shipping: 'standard' }, ['shipping']],
    [{ shipping: { shipping_cost: -1 } }, ['shipping', 'shipping_cost']],
    [{ shipping: { shipping_cost: 1.005 } }, ['shipping', 'shipping_cost']],
    [{ shipping: { shipping_cost: 10_000.01 } }, ['shipping', 'shipping_cost']],
    [{ shipping: { shipping_method: 'x'.repeat(51) } }, ['shipping', 'shipping_method']],
    [{ shipping: { zip_code: 'x'.repeat(21) } }, ['shipping', 'zip_code']],
    [{ coupon_code: 'x'.repeat(256) }, ['coupon_code']],
    [{ coupon_code: 5 }, ['coupon_code']],
  ])('responds with 422 for %j', async (json, place) => {
    const { status, body } = await quote(json);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', ...place] }] });
  });

  it('is for those who are signed in', async () => {
    expect((await app.api.post('/api/v1/orders/quote', { json: {} })).status).toBe(401);
  });
});

describe('Under the hardened policy, POST /api/v1/orders/quote', () => {
  beforeAll(() => start('hardened'));
  afterAll(() => app.close());
  beforeEach(newShopper);

  it('takes the cost of the list, and says what each method costs for these goods', async () => {
    const { token } = await insertAdmin(app);
    const shipping_methods = [
      { code: 'standard', name: 'Standard', cost: 5.99, days: 5, free_from: 99.8 },
      { code: 'express', name: 'Express', cost: 12.99, days: 2, free_from: 99.81 },
    ];
    await app.api.patch('/api/v1/admin/shop', { token, json: { shipping_methods } });
    await fillCart(app, user, [shirt], 2);
    const { body } = await quote({ shipping: { shipping_method: ' EXPRESS ' } });
    expect(body).toMatchObject({ shipping_cost: 12.99, total_price: 112.79, problems: [] });
    expect(body.shipping_methods.map(({ quoted_cost }) => quoted_cost)).toEqual([0, 12.99]);
    expect((await quote()).body).toMatchObject({ shipping_cost: 0, total_price: 99.8 });
  });

  it.each([
    [{ shipping_method: 'drone' }, 'shipping_method', null, 49.9],
    [{ shipping_cost: 0.01 }, 'shipping_cost', 5.99, 55.89],
  ])('names %j as a problem at its field', async (shipping, field, shipping_cost, total_price) => {
    const { token } = await insertAdmin(app);
    const standard = { code: 'standard', name: 'Standard', cost: 5.99, days: 5 };
    await app.api.patch('/api/v1/admin/shop', { token, json: { shipping_methods: [standard] } });
    await fillCart(app, user, [shirt]);
    const { body } = await quote({ shipping });
    expect(body).toMatchObject({ shipping_cost, total_price });
    expect(body.problems).toEqual([
      { code: 'value_error', detail: expect.any(String), loc: ['body', 'shipping', field] },
    ]);
  });
});

describe('With full quotas, POST /api/v1/orders/quote', () => {
  beforeAll(() => start('contract', 'orders=2,unpaid-orders=1'));
  afterAll(() => app.close());
  beforeEach(newShopper);

  it('says that no more orders may be placed, and none of it where they are another’s', async () => {
    const order = async () => {
      await fillCart(app, user, [shirt]);
      return (await placeOrder(app.api, user)).status;
    };
    expect(await order()).toBe(201);
    await fillCart(app, user, [shirt]);
    const codes = async () => (await quote()).body.problems.map(({ code }) => code);
    expect(await codes()).toEqual(['quota_exceeded']);
    await app.database.rows(`UPDATE orders SET status = 'paid' WHERE user_id = $1`, [user.id]);
    expect(await codes()).toEqual([]);
    expect((await placeOrder(app.api, user)).status).toBe(201);
    await fillCart(app, user, [shirt]);
    expect(await codes()).toEqual(['rate_exceeded', 'quota_exceeded']);
    await newShopper();
    await fillCart(app, user, [shirt]);
    expect(await codes()).toEqual([]);
  });
});

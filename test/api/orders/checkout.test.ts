import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import { checkout, shipping } from '../../support/checkout.js';
import {
  addToCart,
  fillCart,
  insertCoupon,
  insertProduct,
  insertProducts,
  stockOf,
  usesOf,
} from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { cartOf, ordersInDatabase } from './order-scene.js';

const day = 86_400_000;

let app: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

describe('POST /api/v1/orders/checkout', () => {
  it('responds with 201 with shipping and a total of goods and shipping', async () => {
    await addToCart(app, user, await insertProduct(app, { price: 12.5 }), 2);
    const { status, body } = await checkout(app.api, user, { shipping: { phone: '+1 555 0100' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      total_price: 30.99,
      status: 'pending',
      shipping_first_name: 'Ada',
      shipping_last_name: 'Lovelace',
      shipping_address: '12 St James Square',
      shipping_city: 'Springfield',
      shipping_zip: '01101',
      shipping_country: 'United States',
      shipping_phone: '+1 555 0100',
      shipping_method: 'standard',
      shipping_cost: 5.99,
    });
  });

  it.each([
    ['standard', 5],
    ['express', 2],
    ['Express', 2],
    ['by bicycle', 7],
    ['constructor', 7],
  ])('estimates %s delivery at %d days', async (shipping_method, days) => {
    await addToCart(app, user, await insertProduct(app));
    const { body } = await checkout(app.api, user, { shipping: { shipping_method } });
    const { created_at, estimated_delivery } = body;
    expect(Date.parse(estimated_delivery ?? '') - Date.parse(created_at)).toBe(days * day);
  });

  it('applies the coupon only to the goods, and counts its use', async () => {
    const coupon = await insertCoupon(app, 'A-THIRD', { percent: 33.33 });
    await addToCart(app, user, await insertProduct(app, { price: 9.99 }), 3);
    const { status, body } = await checkout(app.api, user, { coupon: 'a-third', shipping: { shipping_cost: 10 } });
    expect(status).toBe(201);
    expect(body.total_price).toBe(29.98);
    expect(await usesOf(app, coupon)).toBe(1);
    expect(await ordersInDatabase(app, user.id)).toMatchObject([{ discount: '9.99', coupon_id: coupon }]);
  });

  it('gives goods away with a coupon of 100 percent', async () => {
    await insertCoupon(app, 'ALL-FREE', { percent: 100 });
    await addToCart(app, user, await insertProduct(app));
    const { body } = await checkout(app.api, user, { coupon: 'ALL-FREE', shipping: { shipping_cost: 0 } });
    expect(body.total_price).toBe(0);
  });

  it.each([null, '', undefined])('treats %j as no coupon', async (coupon) => {
    await addToCart(app, user, await insertProduct(app, { price: 10 }));
    const choices = coupon === undefined ? {} : { coupon };
    expect((await checkout(app.api, user, choices)).body.total_price).toBe(15.99);
  });

  it.each([
    ['NO-SUCH', {}, 'There is no coupon with this code'],
    ['INACTIVE', { isActive: false }, 'The coupon INACTIVE is not active'],
    ['EXPIRED', { expiresAt: new Date(Date.now() - 1000) }, 'The coupon EXPIRED has expired'],
    ['USED-UP', { maxUses: 2, currentUses: 2 }, 'The coupon USED-UP has been used up'],
  ])('responds with 400 for the coupon %s and changes nothing', async (code, choices, reason) => {
    if (code !== 'NO-SUCH') await insertCoupon(app, code, choices);
    const product = await insertProduct(app, { stock: 8 });
    await addToCart(app, user, product);
    const { status, body } = await checkout(app.api, user, { coupon: code });
    expect(status).toBe(400);
    expect(body).toEqual({ detail: `${reason}: order without it, or with another one`, code: 'coupon_unusable' });
    expect(await stockOf(app, product)).toBe(8);
    expect((await cartOf(app, user)).items).toHaveLength(1);
    expect(await ordersInDatabase(app, user.id)).toEqual([]);
  });

  it('responds with 400 for an empty cart, and counts no coupon', async () => {
    const coupon = await insertCoupon(app, 'UNUSED');
    const { status, body } = await checkout(app.api, user, { coupon: 'UNUSED' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'empty_cart' });
    expect(await usesOf(app, coupon)).toBe(0);
  });

  it('responds with 409 over the stock, and counts no coupon', async () => {
    const coupon = await insertCoupon(app, 'KEPT');
    const product = await insertProduct(app, { stock: 1 });
    await addToCart(app, user, product);
    await app.database.rows('UPDATE products SET stock = 0 WHERE id = $1', [product]);
    expect((await checkout(app.api, user, { coupon: 'KEPT' })).status).toBe(409);
    expect(await usesOf(app, coupon)).toBe(0);
  });

  it.each(['first_name', 'last_name', 'address', 'city', 'zip_code'])('responds with 422 without %s', async (field) => {
    const { [field]: _, ...rest } = shipping as Record<string, unknown>;
    const { status, body } = await app.api.post('/api/v1/orders/checkout', {
      token: user.token,
      json: { shipping: rest },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'shipping', field], type: 'missing' }] });
  });

  it.each([
    [{ first_name: '' }, 'first_name', 'string_too_short'],
    [{ city: '   ' }, 'city', 'string_pattern_mismatch'],
    [{ address: 'x'.repeat(301) }, 'address', 'string_too_long'],
    [{ country: null }, 'country', 'string_type'],
    [{ country: 'x'.repeat(101) }, 'country', 'string_too_long'],
    [{ zip_code: 1101 }, 'zip_code', 'string_type'],
    [{ last_name: 'a\0b' }, 'last_name', 'string_unicode'],
    [{ shipping_cost: -0.01 }, 'shipping_cost', 'greater_than_equal'],
    [{ shipping_cost: 10_000.01 }, 'shipping_cost', 'less_than_equal'],
    [{ shipping_cost: 5.999 }, 'shipping_cost', 'decimal_max_places'],
    [{ shipping_cost: '5.99' }, 'shipping_cost', 'float_type'],
  ])('responds with 422 for the shipping %j', async (changes, field, type) => {
    const { status, body } = await app.api.post('/api/v1/orders/checkout', {
      token: user.token,
      json: { shipping: { ...shipping, ...changes } },
    });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'shipping', field], type }] });
  });

  it.each([{}, { shipping: null }, { shipping: 'home' }, { shipping: [] }])(
    'responds with 422 for the body %j',
    async (json) => {
      const { status, body } = await app.api.post('/api/v1/orders/checkout', { token: user.token, json });
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ loc: ['body', 'shipping'] }] });
    },
  );

  it('responds with 401 without a token', async () => {
    expect((await app.api.post('/api/v1/orders/checkout', { json: { shipping } })).status).toBe(401);
  });

  it('takes one statement, also with a coupon and an Idempotency-Key', async () => {
    await insertCoupon(app, 'COUNTED');
    await fillCart(app, user, await insertProducts(app, 30));
    const statements = await statementsOf(async () => {
      expect((await checkout(app.api, user, { coupon: 'COUNTED', key: 'counted' })).status).toBe(201);
    });
    expect(statements).toEqual(['orders.place']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.shapes.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, fillCart, insertCoupon, insertProduct, insertProducts } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { noShipping } from './order-scene.js';

async function order(shop: TestApp, user: InsertedUser, productIds?: number[]): Promise<Order> {
  await fillCart(shop, user, productIds ?? [await insertProduct(shop)]);
  return (await checkout(shop.api, user)).body;
}

const get = (shop: TestApp, id: number | string, token?: string) =>
  shop.api.get<Order>(`/api/v1/orders/${id}`, { token });

describe('Under the contract policy', () => {
  let shop: TestApp;
  let user: InsertedUser;
  beforeAll(async () => {
    shop = await startTestApp();
  });
  afterAll(() => shop.close());
  beforeEach(async () => {
    user = await insertUser(shop);
  });

  const list = () => shop.api.get<Order[]>('/api/v1/orders/', { token: user.token });

  describe('GET /api/v1/orders/', () => {
    it("answers the caller's orders whole, newest first", async () => {
      const first = await order(shop, user);
      const second = await order(shop, user);
      await order(shop, await insertUser(shop));
      expect((await list()).body).toEqual([second, first]);
    });

    it('answers an empty list where there is no order', async () => {
      expect((await list()).body).toEqual([]);
    });

    it('shows name, picture and price of the day, and all else as it is now, of deleted products too', async () => {
      const product = await insertProduct(shop, { name: 'Old name', price: 5, stock: 9 });
      await shop.database.rows(`UPDATE products SET image_url = '/uploads/product/old.webp' WHERE id = $1`, [product]);
      await order(shop, user, [product]);
      await shop.database.rows(
        `UPDATE products SET name = 'New name', image_url = NULL, price = 6, stock = 3, color = 'red', deleted_at = now()
          WHERE id = $1`,
        [product],
      );
      const ofTheDay = { name: 'Old name', image_url: '/uploads/product/old.webp', price: 5 };
      expect((await list()).body[0]?.items[0]).toMatchObject({
        ...ofTheDay,
        product_id: product,
        product: { ...ofTheDay, id: product, stock: 3, color: 'red' },
      });
    });

    it('shows no picture where there was none on the day', async () => {
      const product = await insertProduct(shop);
      await order(shop, user, [product]);
      await shop.database.rows(`UPDATE products SET image_url = '/uploads/product/new.webp' WHERE id = $1`, [product]);
      expect((await list()).body[0]?.items[0]).toMatchObject({ image_url: null, product: { image_url: null } });
    });

    it('shows what a node of the version before wrote by the product and the coupon as they are', async () => {
      const coupon = await insertCoupon(shop, 'OF-OLD');
      const product = await insertProduct(shop, { name: 'As it is' });
      const [placed] = await shop.database.rows<{ id: number }>(
        `INSERT INTO orders (user_id, total_price, discount, coupon_id, shipping_cost) VALUES ($1, 23.99, 2, $2, 5.99)
         RETURNING id`,
        [user.id, coupon],
      );
      await shop.database.rows(
        'INSERT INTO order_items (order_id, product_id, quantity, price) VALUES ($1, $2, 2, 10)',
        [placed?.id, product],
      );
      expect((await list()).body[0]).toMatchObject({
        subtotal: 20,
        discount: 2,
        coupon_code: 'OF-OLD',
        items: [{ name: 'As it is', image_url: null, price: 10 }],
      });
    });

    it('shows subtotal, discount and coupon, also once the coupon is deleted', async () => {
      const coupon = await insertCoupon(shop, 'SHOWN-10', { percent: 10 });
      await fillCart(shop, user, [await insertProduct(shop, { price: 10.05 })], 3);
      const placed = (await checkout(shop.api, user, { coupon: 'shown-10' })).body;
      expect(placed).toMatchObject({ subtotal: 30.15, discount: 3.02, coupon_code: 'SHOWN-10', total_price: 33.12 });
      await shop.database.rows('DELETE FROM coupons WHERE id = $1', [coupon]);
      expect((await list()).body).toEqual([placed]);
    });

    it('takes one statement beside the check of the token, however many the orders and their lines', async () => {
      for (let index = 0; index < 5; index++) await order(shop, user, await insertProducts(shop, 20));
      const statements = await statementsOf(async () => {
        expect((await list()).body.map(({ items }) => items.length)).toEqual([20, 20, 20, 20, 20]);
      });
      expect(statements).toEqual(['orders.of-user']);
    });

    it('answers 401 without a token', async () => {
      expect((await shop.api.get('/api/v1/orders/')).status).toBe(401);
    });
  });

  describe('GET /api/v1/orders/{order_id}', () => {
    it('answers the whole order to its owner', async () => {
      const placed = await order(shop, user);
      const { status, body } = await get(shop, placed.id, user.token);
      expect(status).toBe(200);
      expect(body).toEqual(placed);
      expect(body.shipping_city).toBe('Springfield');
    });

    it('answers the whole order to an admin', async () => {
      const placed = await order(shop, user);
      const { token } = await insertAdmin(shop);
      expect((await get(shop, placed.id, token)).body).toEqual(placed);
    });

    it('answers the order without shipping and coupon to others', async () => {
      await insertCoupon(shop, 'NOT-FOR-ALL', { isPublic: false });
      await fillCart(shop, user, [await insertProduct(shop)]);
      const placed = (await checkout(shop.api, user, { coupon: 'NOT-FOR-ALL' })).body;
      expect(placed.coupon_code).toBe('NOT-FOR-ALL');
      const other = await insertUser(shop);
      for (const token of [undefined, other.token]) {
        const { status, body } = await get(shop, placed.id, token);
        expect(status).toBe(200);
        expect(body).toEqual(Object.assign({}, placed, noShipping));
      }
      expect((await get(shop, placed.id, 'no.such.token')).status).toBe(401);
    });

    it.each(['0', '-1', '2147483647', '99999999999999999999'])('answers 404 for the unknown order %s', async (id) => {
      expect((await get(shop, id)).status).toBe(404);
    });

    it.each(['first', '1.5', '1e3'])('answers 422 for the id %s', async (id) => {
      const { status, body } = await get(shop, id);
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ loc: ['path', 'order_id'] }] });
    });
  });

  describe('GET /api/v1/orders/referrer', () => {
    it('answers the origin of the Referer header', async () => {
      const headers = { referer: 'https://blog.example/best-shirts?page=2' };
      const { status, body } = await shop.api.get('/api/v1/orders/referrer', { headers });
      expect(status).toBe(200);
      expect(body).toEqual({ referrer: 'https://blog.example' });
    });

    it('answers null without one', async () => {
      expect((await shop.api.get('/api/v1/orders/referrer')).body).toEqual({ referrer: null });
    });
  });
});

describe('GET /api/v1/orders/{order_id} under the hardened policy', () => {
  let shop: TestApp;
  let placed: Order;
  let user: InsertedUser;
  beforeAll(async () => {
    shop = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
    user = await insertUser(shop);
    await addToCart(shop, user, await insertProduct(shop));
    placed = (await checkout(shop.api, user)).body;
  });
  afterAll(() => shop.close());

  it('answers the order to its owner and to an admin', async () => {
    const admin = await insertAdmin(shop);
    for (const { token } of [user, admin]) expect((await get(shop, placed.id, token)).body).toEqual(placed);
  });

  it('answers 403 to another user', async () => {
    const { token } = await insertUser(shop);
    expect((await get(shop, placed.id, token)).status).toBe(403);
  });

  it('answers 401 without a token', async () => {
    expect((await get(shop, placed.id)).status).toBe(401);
  });
});

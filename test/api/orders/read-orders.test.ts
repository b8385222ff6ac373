import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, fillCart, insertCoupon, insertProduct, insertProducts } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { noShipping } from './order-scene.js';

async function order(app: TestApp, user: InsertedUser, productIds?: number[]): Promise<Order> {
  await fillCart(app, user, productIds ?? [await insertProduct(app)]);
  return (await checkout(app.api, user)).body;
}

const get = (app: TestApp, id: number | string, token?: string) =>
  app.api.get<Order>(`/api/v1/orders/${id}`, { token });

describe('Under the contract policy', () => {
  let app: TestApp;
  let user: InsertedUser;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    user = await insertUser(app);
  });

  const list = () => app.api.get<Order[]>('/api/v1/orders/', { token: user.token });

  describe('GET /api/v1/orders/', () => {
    it("returns the caller's orders in full, newest first", async () => {
      const first = await order(app, user);
      const second = await order(app, user);
      await order(app, await insertUser(app));
      expect((await list()).body).toEqual([second, first]);
    });

    it('returns an empty list when there is no order', async () => {
      expect((await list()).body).toEqual([]);
    });

    it('shows name, picture and price at the time of the order and all else as it is now, also of deleted products', async () => {
      const product = await insertProduct(app, { name: 'Old name', price: 5, stock: 9 });
      await app.database.rows(`UPDATE products SET image_url = '/uploads/product/old.webp' WHERE id = $1`, [product]);
      await order(app, user, [product]);
      await app.database.rows(
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

    it('shows no picture when there was none at the time', async () => {
      const product = await insertProduct(app);
      await order(app, user, [product]);
      await app.database.rows(`UPDATE products SET image_url = '/uploads/product/new.webp' WHERE id = $1`, [product]);
      expect((await list()).body[0]?.items[0]).toMatchObject({ image_url: null, product: { image_url: null } });
    });

    it('shows subtotal, discount and coupon, even after the coupon is deleted', async () => {
      const coupon = await insertCoupon(app, 'SHOWN-10', { percent: 10 });
      await fillCart(app, user, [await insertProduct(app, { price: 10.05 })], 3);
      const placed = (await checkout(app.api, user, { coupon: 'shown-10' })).body;
      expect(placed).toMatchObject({ subtotal: 30.15, discount: 3.02, coupon_code: 'SHOWN-10', total_price: 33.12 });
      await app.database.rows('DELETE FROM coupons WHERE id = $1', [coupon]);
      expect((await list()).body).toEqual([placed]);
    });

    it('takes one statement besides the check of the token, however many orders and lines there are', async () => {
      for (let index = 0; index < 5; index++) await order(app, user, await insertProducts(app, 20));
      const statements = await statementsOf(async () => {
        expect((await list()).body.map(({ items }) => items.length)).toEqual([20, 20, 20, 20, 20]);
      });
      expect(statements).toEqual([expect.stringMatching(/^orders\.page\./)]);
    });

    it('responds with 401 without a token', async () => {
      expect((await app.api.get('/api/v1/orders/')).status).toBe(401);
    });

    describe('in pages', () => {
      const page = (query: string) => app.api.get<Order[]>(`/api/v1/orders/?${query}`, { token: user.token });
      const insertOrders = (count: number, lines: number) =>
        app.database.rows(
          `WITH placed AS (
             INSERT INTO orders (user_id, total_price, created_at)
             SELECT $1, 1, now() - n * interval '1 minute' FROM generate_series(1, $2::integer) AS n RETURNING id),
           sold AS (
             INSERT INTO products (name, price, stock, description)
             SELECT 'Large', 1, 1, repeat('é', 10000) FROM generate_series(1, $3::integer) RETURNING id)
           INSERT INTO order_items (order_id, product_id, quantity, price, product_name)
           SELECT placed.id, sold.id, 1, 1, 'Large' FROM placed, sold`,
          [user.id, count, lines],
        );

      it('returns 100 where the caller asks for no page, and tells how many there are', async () => {
        await insertOrders(120, 1);
        const { body, headers } = await list();
        expect([body.length, headers.get('x-total-count')]).toEqual([100, '120']);
        const rest = await page('skip=100&limit=100');
        expect([rest.body.length, rest.headers.get('x-total-count')]).toEqual([20, '120']);
        const all = [...body, ...rest.body].map(({ id }) => id);
        expect(new Set(all).size).toBe(120);
        expect((await page('skip=2&limit=3')).body.map(({ id }) => id)).toEqual(all.slice(2, 5));
      });

      it.each(['limit=0', 'limit=101', 'limit=x', 'skip=-1'])('responds with 422 to %s', async (query) => {
        expect((await page(query)).status).toBe(422);
      });

      it('ends a page early where the orders are large, and counts on', async () => {
        await insertOrders(60, 500);
        const ids: number[] = [];
        for (let pages = 0; ids.length < 60; pages++) {
          expect(pages).toBeLessThan(60);
          const { body, headers } = await page(`skip=${ids.length}`);
          expect(headers.get('x-total-count')).toBe('60');
          expect(body.length).toBeGreaterThan(0);
          expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(8 * 2 ** 20);
          ids.push(...body.map(({ id }) => id));
        }
        expect(new Set(ids).size).toBe(60);
      });
    });
  });

  describe('GET /api/v1/orders/{order_id}', () => {
    it('returns the whole order to its owner', async () => {
      const placed = await order(app, user);
      const { status, body } = await get(app, placed.id, user.token);
      expect(status).toBe(200);
      expect(body).toEqual(placed);
      expect(body.shipping_city).toBe('Springfield');
    });

    it('returns the whole order to an admin', async () => {
      const placed = await order(app, user);
      const { token } = await insertAdmin(app);
      expect((await get(app, placed.id, token)).body).toEqual({ ...placed, next_statuses: expect.any(Array) });
    });

    it('returns the order without shipping and coupon to others', async () => {
      await insertCoupon(app, 'NOT-FOR-ALL', { isPublic: false });
      await fillCart(app, user, [await insertProduct(app)]);
      const placed = (await checkout(app.api, user, { coupon: 'NOT-FOR-ALL' })).body;
      expect(placed.coupon_code).toBe('NOT-FOR-ALL');
      const other = await insertUser(app);
      // A token that is none of the service's counts as none.
      for (const token of [undefined, other.token, 'no.such.token']) {
        const { status, body } = await get(app, placed.id, token);
        expect(status).toBe(200);
        expect(body).toEqual(Object.assign({}, placed, noShipping));
      }
    });

    it.each(['0', '-1', '2147483647', '99999999999999999999'])(
      'responds with 404 for the unknown order %s',
      async (id) => {
        expect((await get(app, id)).status).toBe(404);
      },
    );

    it.each(['first', '1.5', '1e3'])('responds with 422 for the id %s', async (id) => {
      const { status, body } = await get(app, id);
      expect(status).toBe(422);
      expect(body).toMatchObject({ detail: [{ loc: ['path', 'order_id'] }] });
    });
  });

  describe('GET /api/v1/orders/referrer', () => {
    it('returns the origin of the Referer header', async () => {
      const headers = { referer: 'https://blog.example/best-shirts?page=2' };
      const { status, body } = await app.api.get('/api/v1/orders/referrer', { headers });
      expect(status).toBe(200);
      expect(body).toEqual({ referrer: 'https://blog.example' });
    });

    it('returns null without one', async () => {
      expect((await app.api.get('/api/v1/orders/referrer')).body).toEqual({ referrer: null });
    });
  });
});

describe('GET /api/v1/orders/{order_id} under the hardened policy', () => {
  let app: TestApp;
  let placed: Order;
  let user: InsertedUser;
  beforeAll(async () => {
    app = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
    user = await insertUser(app);
    await addToCart(app, user, await insertProduct(app));
    placed = (await checkout(app.api, user)).body;
  });
  afterAll(() => app.close());

  it('returns the order to its owner and to an admin', async () => {
    const admin = await insertAdmin(app);
    expect((await get(app, placed.id, user.token)).body).toEqual(placed);
    const next_statuses = expect.any(Array);
    expect((await get(app, placed.id, admin.token)).body).toEqual({ ...placed, next_statuses });
  });

  it('responds with 403 to another user', async () => {
    const { token } = await insertUser(app);
    expect((await get(app, placed.id, token)).status).toBe(403);
  });

  it('responds with 401 without a token', async () => {
    expect((await get(app, placed.id)).status).toBe(401);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.shapes.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { addToCart, fillCart, insertProduct, insertProducts } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const hiddenShipping = {
  shipping_first_name: null,
  shipping_last_name: null,
  shipping_address: null,
  shipping_city: null,
  shipping_zip: null,
  shipping_country: null,
  shipping_phone: null,
  shipping_method: null,
  shipping_cost: null,
};

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

    it('shows products as they are now, deleted ones too', async () => {
      const product = await insertProduct(shop, { name: 'Old name' });
      await order(shop, user, [product]);
      await shop.database.rows(`UPDATE products SET name = 'New name', deleted_at = now() WHERE id = $1`, [product]);
      expect((await list()).body[0]?.items[0]?.product).toMatchObject({ id: product, name: 'New name' });
    });

    it('takes one statement beside the look at the token, however many the orders and their lines', async () => {
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

    it('answers the order without shipping to others', async () => {
      const placed = await order(shop, user);
      const other = await insertUser(shop);
      for (const token of [undefined, other.token, 'no.such.token']) {
        const { status, body } = await get(shop, placed.id, token);
        expect(status).toBe(200);
        expect(body).toEqual(Object.assign({}, placed, hiddenShipping));
      }
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

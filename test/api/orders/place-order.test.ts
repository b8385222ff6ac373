import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.shapes.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import { placeOrder } from '../../support/checkout.js';
import { addToCart, fillCart, insertProduct, insertProducts, stockOf } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { cartOf, noShipping, ordersInDatabase } from './order-scene.js';

let shop: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  shop = await startTestApp();
});
afterAll(() => shop.close());
beforeEach(async () => {
  user = await insertUser(shop);
});

describe('POST /api/v1/orders/', () => {
  it('answers 201 with the order of the cart', async () => {
    const shirt = await insertProduct(shop, { name: 'Shirt', price: 19.99, stock: 5 });
    const socks = await insertProduct(shop, { name: 'Socks', price: 0.1, stock: 9 });
    await addToCart(shop, user, socks, 3);
    await addToCart(shop, user, shirt, 2);
    const { status, body } = await placeOrder(shop.api, user);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      user_id: user.id,
      total_price: 40.28,
      status: 'pending',
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
      items: [
        expect.objectContaining({ product_id: shirt, quantity: 2, price: 19.99 }),
        expect.objectContaining({ product_id: socks, quantity: 3, price: 0.1 }),
      ],
      ...noShipping,
      estimated_delivery: null,
      subtotal: 40.28,
      discount: 0,
    });
    expect(body.items[0]?.product).toEqual((await shop.api.get(`/api/v1/products/${shirt}`)).body);
    expect(Date.parse(body.created_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('takes the stock and empties the cart', async () => {
    const product = await insertProduct(shop, { stock: 5 });
    const before = await addToCart(shop, user, product, 2);
    await shop.database.rows(`UPDATE carts SET updated_at = '2020-01-01' WHERE id = $1`, [before.id]);
    const { body } = await placeOrder(shop.api, user);
    expect(await stockOf(shop, product)).toBe(3);
    expect(body.items[0]?.product.stock).toBe(3);
    const cart = await cartOf(shop, user);
    expect(cart.items).toEqual([]);
    expect(Date.parse(String(cart.updated_at))).toBeGreaterThan(Date.now() - 60_000);
  });

  it('sells the last piece', async () => {
    const product = await insertProduct(shop, { stock: 2 });
    await addToCart(shop, user, product, 2);
    expect((await placeOrder(shop.api, user)).status).toBe(201);
    expect(await stockOf(shop, product)).toBe(0);
  });

  it('takes an empty JSON body', async () => {
    await addToCart(shop, user, await insertProduct(shop));
    expect((await shop.api.post('/api/v1/orders/', { token: user.token, json: {} })).status).toBe(201);
  });

  it('answers 400 for an empty cart', async () => {
    const { status, body } = await placeOrder(shop.api, user);
    expect(status).toBe(400);
    expect(body).toEqual({ detail: 'The cart is empty: add a product to it first', code: 'empty_cart' });
  });

  it('answers 400 for an account without a cart', async () => {
    await shop.database.rows('DELETE FROM carts WHERE user_id = $1', [user.id]);
    expect((await placeOrder(shop.api, user)).status).toBe(400);
  });

  it('answers 400 where all products of the cart were deleted', async () => {
    const product = await insertProduct(shop);
    await addToCart(shop, user, product);
    await shop.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [product]);
    expect((await placeOrder(shop.api, user)).status).toBe(400);
    expect(await stockOf(shop, product)).toBe(100);
  });

  it('orders what shows where one product of the cart was deleted', async () => {
    const [gone = 0, there = 0] = await insertProducts(shop, 2);
    await fillCart(shop, user, [gone, there]);
    await shop.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [gone]);
    const { body } = await placeOrder(shop.api, user);
    expect(body.items.map(({ product_id }) => product_id)).toEqual([there]);
  });

  it('answers 409 over the stock, names the product and changes nothing', async () => {
    const plenty = await insertProduct(shop, { stock: 50 });
    const scarce = await insertProduct(shop, { name: 'Last lamp', stock: 3 });
    await addToCart(shop, user, plenty, 2);
    await addToCart(shop, user, scarce, 3);
    await shop.database.rows('UPDATE products SET stock = 2 WHERE id = $1', [scarce]);
    const { status, body } = await placeOrder(shop.api, user);
    expect(status).toBe(409);
    expect(body).toEqual({
      detail: 'Only 2 of "Last lamp" are in stock, and the cart holds 3: lower the quantity',
      code: 'insufficient_stock',
    });
    expect([await stockOf(shop, plenty), await stockOf(shop, scarce)]).toEqual([50, 2]);
    expect((await cartOf(shop, user)).items).toHaveLength(2);
    expect(await ordersInDatabase(shop, user.id)).toEqual([]);
  });

  it('keeps the price of the moment', async () => {
    const product = await insertProduct(shop, { price: 10 });
    await addToCart(shop, user, product);
    const { body } = await placeOrder(shop.api, user);
    await shop.database.rows('UPDATE products SET price = 99 WHERE id = $1', [product]);
    const later = await shop.api.get<Order>(`/api/v1/orders/${body.id}`, { token: user.token });
    expect(later.body).toMatchObject({ total_price: 10, items: [{ price: 10, product: { price: 10 } }] });
  });

  it('orders the largest cart there can be', async () => {
    const products = await shop.database.rows<{ id: number }>(
      `INSERT INTO products (name, price, stock) SELECT 'Jewel', 9999999.99, 999 FROM generate_series(1, 500) RETURNING id`,
    );
    await fillCart(
      shop,
      user,
      products.map(({ id }) => id),
      999,
    );
    const { status, body } = await placeOrder(shop.api, user);
    expect(status).toBe(201);
    expect(body.total_price).toBe(4_994_999_995_005);
    expect(body.items).toHaveLength(500);
  });

  it('answers 401 without a token', async () => {
    expect((await shop.api.post('/api/v1/orders/')).status).toBe(401);
  });

  it.each([1, 100])('takes one statement for %d lines beside the check of the token', async (lines) => {
    const products = await insertProducts(shop, lines);
    const statementsWith = async (key?: string) => {
      await fillCart(shop, user, products);
      return statementsOf(async () => expect((await placeOrder(shop.api, user, key)).status).toBe(201));
    };
    expect(await statementsWith()).toEqual(['orders.place-at-once']);
    expect(await statementsWith(`count-${lines}`)).toEqual(['orders.place-keyed-at-once']);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import { placeOrder } from '../../support/checkout.js';
import { addToCart, fillCart, insertProduct, insertProducts, stockOf } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { cartOf, noShipping, ordersInDatabase } from './order-scene.js';

let app: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

describe('POST /api/v1/orders/', () => {
  it('responds with 201 with the order of the cart', async () => {
    const shirt = await insertProduct(app, { name: 'Shirt', price: 19.99, stock: 5 });
    const socks = await insertProduct(app, { name: 'Socks', price: 0.1, stock: 9 });
    await addToCart(app, user, socks, 3);
    await addToCart(app, user, shirt, 2);
    const { status, body } = await placeOrder(app.api, user);
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
      next_statuses: ['paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled'],
      paid_total: 0,
      refunded_total: 0,
      payment_problem: null,
    });
    const { body: product } = await app.api.get(`/api/v1/products/${shirt}`);
    // What only the page of a product needs is left out.
    expect(product).toEqual({ ...body.items[0]?.product, categories: [], images: [], variants: [] });
    expect(Date.parse(body.created_at)).toBeGreaterThan(Date.now() - 60_000);
  });

  it('takes the stock and empties the cart', async () => {
    const product = await insertProduct(app, { stock: 5 });
    const before = await addToCart(app, user, product, 2);
    await app.database.rows(`UPDATE carts SET updated_at = '2020-01-01' WHERE id = $1`, [before.id]);
    const { body } = await placeOrder(app.api, user);
    expect(await stockOf(app, product)).toBe(3);
    expect(body.items[0]?.product.stock).toBe(3);
    const cart = await cartOf(app, user);
    expect(cart.items).toEqual([]);
    expect(Date.parse(String(cart.updated_at))).toBeGreaterThan(Date.now() - 60_000);
  });

  it('sells the last piece', async () => {
    const product = await insertProduct(app, { stock: 2 });
    await addToCart(app, user, product, 2);
    expect((await placeOrder(app.api, user)).status).toBe(201);
    expect(await stockOf(app, product)).toBe(0);
  });

  it('takes an empty JSON body', async () => {
    await addToCart(app, user, await insertProduct(app));
    expect((await app.api.post('/api/v1/orders/', { token: user.token, json: {} })).status).toBe(201);
  });

  it('responds with 400 for an empty cart', async () => {
    const { status, body } = await placeOrder(app.api, user);
    expect(status).toBe(400);
    expect(body).toEqual({ detail: 'The cart is empty: add a product to it first', code: 'empty_cart' });
  });

  it('responds with 400 for an account without a cart', async () => {
    await app.database.rows('DELETE FROM carts WHERE user_id = $1', [user.id]);
    expect((await placeOrder(app.api, user)).status).toBe(400);
  });

  it('responds with 400 when all products of the cart were deleted', async () => {
    const product = await insertProduct(app);
    await addToCart(app, user, product);
    await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [product]);
    expect((await placeOrder(app.api, user)).status).toBe(400);
    expect(await stockOf(app, product)).toBe(100);
  });

  it('orders the remaining lines when a product of the cart was deleted', async () => {
    const [gone = 0, there = 0] = await insertProducts(app, 2);
    await fillCart(app, user, [gone, there]);
    await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [gone]);
    const { body } = await placeOrder(app.api, user);
    expect(body.items.map(({ product_id }) => product_id)).toEqual([there]);
  });

  it('responds with 409 over the stock, names the product and changes nothing', async () => {
    const plenty = await insertProduct(app, { stock: 50 });
    const scarce = await insertProduct(app, { name: 'Last lamp', stock: 3 });
    await addToCart(app, user, plenty, 2);
    await addToCart(app, user, scarce, 3);
    await app.database.rows('UPDATE products SET stock = 2 WHERE id = $1', [scarce]);
    const { status, body } = await placeOrder(app.api, user);
    expect(status).toBe(409);
    expect(body).toEqual({
      detail: 'Only 2 of "Last lamp" are in stock, and the cart holds 3: lower the quantity',
      code: 'insufficient_stock',
    });
    expect([await stockOf(app, plenty), await stockOf(app, scarce)]).toEqual([50, 2]);
    expect((await cartOf(app, user)).items).toHaveLength(2);
    expect(await ordersInDatabase(app, user.id)).toEqual([]);
  });

  it('keeps the price at the time of the order', async () => {
    const product = await insertProduct(app, { price: 10 });
    await addToCart(app, user, product);
    const { body } = await placeOrder(app.api, user);
    await app.database.rows('UPDATE products SET price = 99 WHERE id = $1', [product]);
    const later = await app.api.get<Order>(`/api/v1/orders/${body.id}`, { token: user.token });
    expect(later.body).toMatchObject({ total_price: 10, items: [{ price: 10, product: { price: 10 } }] });
  });

  it('orders the largest cart there can be', async () => {
    const products = await app.database.rows<{ id: number }>(
      `INSERT INTO products (name, price, stock) SELECT 'Jewel', 9999999.99, 999 FROM generate_series(1, 500) RETURNING id`,
    );
    await fillCart(
      app,
      user,
      products.map(({ id }) => id),
      999,
    );
    const { status, body } = await placeOrder(app.api, user);
    expect(status).toBe(201);
    expect(body.total_price).toBe(4_994_999_995_005);
    expect(body.items).toHaveLength(500);
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.post('/api/v1/orders/')).status).toBe(401);
  });

  it.each([1, 100])('takes one statement for %d lines beside the check of the token', async (lines) => {
    const products = await insertProducts(app, lines);
    const statementsWith = async (key?: string) => {
      await fillCart(app, user, products);
      return statementsOf(async () => expect((await placeOrder(app.api, user, key)).status).toBe(201));
    };
    expect(await statementsWith()).toEqual(['orders.place']);
    expect(await statementsWith(`count-${lines}`)).toEqual(['orders.place']);
  });
});

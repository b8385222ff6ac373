import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cart } from '../../../src/store/cart/cart.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import { addToCart, fillCart, insertProduct, insertProducts } from '../../support/goods.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

const get = () => app.api.get<Cart>('/api/v1/cart/', { token: user.token });
const add = (json: unknown) => app.api.post<Cart>('/api/v1/cart/add', { token: user.token, json });
const setQuantity = (itemId: number | string | undefined, json: unknown) =>
  app.api.put<Cart>(`/api/v1/cart/items/${itemId}`, { token: user.token, json });
const remove = (itemId: number | string | undefined) =>
  app.api.delete<Cart>(`/api/v1/cart/items/${itemId}`, { token: user.token });
const quantities = ({ items }: Cart) => items.map(({ product_id, quantity }) => [product_id, quantity]);

async function takeOutOfCatalogue(productId: number): Promise<void> {
  await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [productId]);
}

describe('GET /api/v1/cart/', () => {
  it('returns the empty cart of a new account', async () => {
    const { status, body } = await get();
    expect(status).toBe(200);
    expect(body).toMatchObject({ user_id: user.id, items: [] });
  });

  it('returns the lines with their products, in the order of their addition', async () => {
    const shirt = await insertProduct(app, { name: 'Shirt', price: 49.9, stock: 7 });
    const socks = await insertProduct(app, { name: 'Socks', price: 4 });
    await addToCart(app, user, socks, 2);
    await addToCart(app, user, shirt, 1);
    const { body } = await get();
    expect(quantities(body)).toEqual([
      [socks, 2],
      [shirt, 1],
    ]);
    const { body: product } = await app.api.get<object>(`/api/v1/products/${shirt}`);
    // What only the page of a product needs is left out.
    expect(product).toEqual({ ...body.items[1]?.product, categories: [], images: [], variants: [] });
  });

  it('shows no line of a deleted product', async () => {
    const product = await insertProduct(app);
    await addToCart(app, user, product);
    await takeOutOfCatalogue(product);
    expect((await get()).body.items).toEqual([]);
  });

  it('makes the cart of an account that has none', async () => {
    await app.database.rows('DELETE FROM carts WHERE user_id = $1', [user.id]);
    const [one, other] = await Promise.all([get(), get()]);
    expect(one.status).toBe(200);
    expect(one.body).toEqual(other.body);
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.get('/api/v1/cart/')).status).toBe(401);
  });

  it('takes one statement besides the check of the token, however long the cart', async () => {
    await fillCart(app, user, await insertProducts(app, 100));
    const statements = await statementsOf(async () => {
      expect((await get()).body.items).toHaveLength(100);
    });
    expect(statements).toEqual(['cart.read']);
  });
});

describe('POST /api/v1/cart/add', () => {
  it('returns the cart with the new line', async () => {
    const product = await insertProduct(app, { name: 'Mug', price: 8.5, stock: 5 });
    const { status, body } = await add({ product_id: product, quantity: 2 });
    expect(status).toBe(200);
    expect(body.items).toEqual([
      expect.objectContaining({
        product_id: product,
        quantity: 2,
        product: expect.objectContaining({ id: product, name: 'Mug', price: 8.5, stock: 5 }),
      }),
    ]);
    expect(body).toEqual((await get()).body);
  });

  it('adds up quantities of a product added twice', async () => {
    const product = await insertProduct(app);
    const before = await addToCart(app, user, product, 2);
    const { body } = await add({ product_id: product, quantity: 3 });
    expect(quantities(body)).toEqual([[product, 5]]);
    expect(body.items[0]?.id).toBe(before.items[0]?.id);
  });

  it('moves updated_at', async () => {
    await app.database.rows(`UPDATE carts SET updated_at = '2020-01-01' WHERE user_id = $1`, [user.id]);
    const { body } = await add({ product_id: await insertProduct(app), quantity: 1 });
    expect(Date.parse(String(body.updated_at))).toBeGreaterThan(Date.now() - 60_000);
  });

  it('takes the last piece', async () => {
    const product = await insertProduct(app, { stock: 3 });
    await addToCart(app, user, product, 2);
    expect((await add({ product_id: product, quantity: 1 })).status).toBe(200);
  });

  it('responds with 409 over the stock, and says how many are left', async () => {
    const product = await insertProduct(app, { name: 'Rare lamp', stock: 3 });
    await addToCart(app, user, product, 2);
    const { status, body } = await add({ product_id: product, quantity: 2 });
    expect(status).toBe(409);
    expect(body).toEqual({
      detail: 'Only 3 of "Rare lamp" are in stock, and the cart holds 2 already',
      code: 'insufficient_stock',
    });
    expect(quantities((await get()).body)).toEqual([[product, 2]]);
  });

  it('responds with 409 for a sold-out product', async () => {
    const product = await insertProduct(app, { stock: 0 });
    expect((await add({ product_id: product, quantity: 1 })).status).toBe(409);
  });

  it('responds with 409 when a line would exceed 999 pieces', async () => {
    const product = await insertProduct(app, { stock: 5000 });
    await addToCart(app, user, product, 998);
    const { status, body } = await add({ product_id: product, quantity: 2 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'quantity_too_large' });
    expect((await add({ product_id: product, quantity: 1 })).status).toBe(200);
  });

  it('responds with 409 when a cart would exceed 500 products, and still adds to an existing line', async () => {
    const products = await insertProducts(app, 501);
    await fillCart(app, user, products.slice(0, 500));
    const { status, body } = await add({ product_id: products[500], quantity: 1 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'cart_full' });
    expect((await add({ product_id: products[0], quantity: 1 })).status).toBe(200);
  });

  it.each([0, -1, 999_999_999, 2 ** 31, 2 ** 53])('responds with 404 for the unknown product %d', async (productId) => {
    expect((await add({ product_id: productId, quantity: 1 })).status).toBe(404);
  });

  it('responds with 404 for a deleted product', async () => {
    const product = await insertProduct(app);
    await takeOutOfCatalogue(product);
    expect((await add({ product_id: product, quantity: 1 })).status).toBe(404);
  });

  it.each([
    [{ product_id: 1 }, 'quantity', 'missing'],
    [{ quantity: 1 }, 'product_id', 'missing'],
    [{ product_id: 1, quantity: 0 }, 'quantity', 'greater_than_equal'],
    [{ product_id: 1, quantity: -5 }, 'quantity', 'greater_than_equal'],
    [{ product_id: 1, quantity: 1000 }, 'quantity', 'less_than_equal'],
    [{ product_id: 1, quantity: 1.5 }, 'quantity', 'int_from_float'],
    [{ product_id: 1, quantity: '2' }, 'quantity', 'int_type'],
    [{ product_id: 1, quantity: null }, 'quantity', 'int_type'],
    [{ product_id: 'one', quantity: 1 }, 'product_id', 'int_type'],
  ])('responds with 422 for %j', async (json, field, type) => {
    const { status, body } = await add(json);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', field], type }] });
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.post('/api/v1/cart/add', { json: { product_id: 1, quantity: 1 } })).status).toBe(401);
  });

  it('makes the cart of an account that has none', async () => {
    await app.database.rows('DELETE FROM carts WHERE user_id = $1', [user.id]);
    const product = await insertProduct(app);
    expect(quantities((await add({ product_id: product, quantity: 1 })).body)).toEqual([[product, 1]]);
  });

  it('takes one statement besides the check of the token', async () => {
    const product = await insertProduct(app);
    expect(await statementsOf(() => add({ product_id: product, quantity: 1 }))).toEqual(['cart.add']);
  });
});

describe('PUT /api/v1/cart/items/{item_id}', () => {
  it('sets the quantity and responds with the cart', async () => {
    const product = await insertProduct(app);
    const { items } = await addToCart(app, user, product, 5);
    const { status, body } = await setQuantity(items[0]?.id, { quantity: 2 });
    expect(status).toBe(200);
    expect(quantities(body)).toEqual([[product, 2]]);
    expect(body).toEqual((await get()).body);
  });

  it('responds with 409 over the stock', async () => {
    const product = await insertProduct(app, { stock: 4 });
    const { items } = await addToCart(app, user, product, 1);
    const { status, body } = await setQuantity(items[0]?.id, { quantity: 5 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'insufficient_stock' });
  });

  it("responds with 404 for another user's line, and leaves it alone", async () => {
    const other = await insertUser(app);
    const { items } = await addToCart(app, other, await insertProduct(app), 5);
    expect((await setQuantity(items[0]?.id, { quantity: 1 })).status).toBe(404);
    const cart = await app.api.get<Cart>('/api/v1/cart/', { token: other.token });
    expect(cart.body.items[0]?.quantity).toBe(5);
  });

  it('responds with 404 for a line whose product is deleted', async () => {
    const product = await insertProduct(app);
    const { items } = await addToCart(app, user, product);
    await takeOutOfCatalogue(product);
    expect((await setQuantity(items[0]?.id, { quantity: 2 })).status).toBe(404);
  });

  it.each(['0', '-1', '2147483647', '2147483648', '99999999999999999999'])(
    'responds with 404 for the unknown line %s',
    async (id) => {
      expect((await setQuantity(id, { quantity: 1 })).status).toBe(404);
    },
  );

  it.each([{}, { quantity: 0 }, { quantity: 1000 }, { quantity: '1' }])('responds with 422 for %j', async (json) => {
    expect((await setQuantity(1, json)).status).toBe(422);
  });

  it('responds with 422 for an id that is no integer', async () => {
    const { status, body } = await setQuantity('first', { quantity: 1 });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['path', 'item_id'], type: 'int_parsing' }] });
  });
});

describe('DELETE /api/v1/cart/items/{item_id}', () => {
  it('removes the line and responds with the cart', async () => {
    const [first = 0, second = 0] = await insertProducts(app, 2);
    const { items } = await addToCart(app, user, first);
    await addToCart(app, user, second);
    const { status, body } = await remove(items[0]?.id);
    expect(status).toBe(200);
    expect(quantities(body)).toEqual([[second, 1]]);
    expect(body).toEqual((await get()).body);
  });

  it('responds with 404 when repeated', async () => {
    const { items } = await addToCart(app, user, await insertProduct(app));
    await remove(items[0]?.id);
    expect((await remove(items[0]?.id)).status).toBe(404);
  });

  it("responds with 404 for another user's line", async () => {
    const other = await insertUser(app);
    const { items } = await addToCart(app, other, await insertProduct(app));
    expect((await remove(items[0]?.id)).status).toBe(404);
    expect((await app.api.get<Cart>('/api/v1/cart/', { token: other.token })).body.items).toHaveLength(1);
  });
});

describe('DELETE /api/v1/cart/', () => {
  it('empties the cart, and leaves other carts alone', async () => {
    const other = await insertUser(app);
    const product = await insertProduct(app);
    await addToCart(app, user, product);
    await addToCart(app, other, product);
    const { status, body } = await app.api.delete<Cart>('/api/v1/cart/', { token: user.token });
    expect(status).toBe(200);
    expect(body.items).toEqual([]);
    expect((await get()).body).toEqual(body);
    expect((await app.api.get<Cart>('/api/v1/cart/', { token: other.token })).body.items).toHaveLength(1);
  });

  it('returns the empty cart when it is already empty', async () => {
    const { status, body } = await app.api.delete<Cart>('/api/v1/cart/', { token: user.token });
    expect(status).toBe(200);
    expect(body.items).toEqual([]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CartMerge } from '../../../src/store/cart/cart.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { placeOrder } from '../../support/checkout.js';
import { addToCart, insertProduct, insertProducts } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

type Line = [productId: number, quantity: number];

function merge(lines: Line[], { key, api = app.api }: { key?: string; api?: ApiClient } = {}) {
  const json = { lines: lines.map(([product_id, quantity]) => ({ product_id, quantity })) };
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  return api.post<CartMerge & { code?: string }>('/api/v1/cart/merge', { token: user.token, json, headers });
}

const outcomes = ({ lines }: CartMerge) => lines.map(({ added, cut }) => [added, cut]);
const held = ({ cart }: Pick<CartMerge, 'cart'>) =>
  cart.items.map(({ product_id, quantity }) => [product_id, quantity]);

describe('POST /api/v1/cart/merge', () => {
  it('adds the lines to those in the cart, and answers with the whole cart', async () => {
    const [one = 0, other = 0, third = 0] = await insertProducts(app, 3);
    await addToCart(app, user, one, 2);
    const { status, body } = await merge([
      [one, 3],
      [other, 1],
      [third, 4],
    ]);
    expect(status).toBe(200);
    expect(body.lines).toEqual([
      { product_id: one, quantity: 3, added: 3, cut: null },
      { product_id: other, quantity: 1, added: 1, cut: null },
      { product_id: third, quantity: 4, added: 4, cut: null },
    ]);
    expect(held(body)).toEqual([
      [one, 5],
      [other, 1],
      [third, 4],
    ]);
    const { body: cart } = await app.api.get('/api/v1/cart/', { token: user.token });
    expect(cart).toEqual(body.cart);
  });

  it('says line by line what was cut, and why', async () => {
    const scarce = await insertProduct(app, { stock: 5 });
    const plenty = await insertProduct(app, { stock: 5_000 });
    const gone = await insertProduct(app);
    const none = await insertProduct(app, { stock: 0 });
    await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [gone]);
    await addToCart(app, user, scarce, 2);
    await addToCart(app, user, plenty, 990);
    const { body } = await merge([
      [scarce, 7],
      [plenty, 20],
      [gone, 1],
      [2_147_483_647, 1],
      [none, 1],
    ]);
    expect(outcomes(body)).toEqual([
      [3, 'insufficient_stock'],
      [9, 'quantity_too_large'],
      [0, 'unknown_product'],
      [0, 'unknown_product'],
      [0, 'insufficient_stock'],
    ]);
    expect(held(body)).toEqual([
      [scarce, 5],
      [plenty, 999],
    ]);
  });

  it('gives the room of a product to its lines in their order', async () => {
    const product = await insertProduct(app, { stock: 5 });
    const { body } = await merge([
      [product, 3],
      [product, 3],
      [product, 1],
    ]);
    expect(outcomes(body)).toEqual([
      [3, null],
      [2, 'insufficient_stock'],
      [0, 'insufficient_stock'],
    ]);
    expect(held(body)).toEqual([[product, 5]]);
  });

  it('fills the cart up to 500 products, the first lines first', async () => {
    const products = await insertProducts(app, 502);
    await merge(products.slice(0, 499).map((id): Line => [id, 1]));
    const { body } = await merge(products.slice(498).map((id): Line => [id, 1]));
    expect(outcomes(body)).toEqual([
      [1, null],
      [1, null],
      [0, 'cart_full'],
      [0, 'cart_full'],
    ]);
    expect(body.cart.items).toHaveLength(500);
  });

  it('leaves a cart alone of which nothing was merged', async () => {
    const before = await app.api.get('/api/v1/cart/', { token: user.token });
    const { body } = await merge([[2_147_483_647, 1]]);
    expect(body.cart).toEqual(before.body);
  });

  it.each([
    [{ lines: [] }, ['body', 'lines']],
    [{}, ['body', 'lines']],
    [{ lines: Array.from({ length: 501 }, () => ({ product_id: 1, quantity: 1 })) }, ['body', 'lines']],
    [{ lines: [{ product_id: 1, quantity: 0 }] }, ['body', 'lines', 0, 'quantity']],
    [{ lines: [{ product_id: 1, quantity: 1_000 }] }, ['body', 'lines', 0, 'quantity']],
    [{ lines: [{ product_id: '1', quantity: 1 }] }, ['body', 'lines', 0, 'product_id']],
  ])('refuses what is no list of lines', async (json, loc) => {
    const { status, body } = await app.api.post<{ detail: { loc: unknown[] }[] }>('/api/v1/cart/merge', {
      token: user.token,
      json,
    });
    expect([status, body.detail[0]?.loc]).toEqual([422, loc]);
  });

  it('takes an id beyond all products as unknown', async () => {
    expect(outcomes((await merge([[1e15, 1]])).body)).toEqual([[0, 'unknown_product']]);
  });

  it('adds all that two nodes merge at once, within the stock', async () => {
    const product = await insertProduct(app, { stock: 25 });
    const other = await insertProduct(app, { stock: 100 });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        merge(
          n % 2
            ? [
                [product, 3],
                [other, 2],
              ]
            : [
                [other, 2],
                [product, 3],
              ],
          { api: nodes[n % 2] ?? app.api },
        ),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const added = answers.flatMap(({ body }) => body.lines).filter(({ product_id }) => product_id === product);
    expect(added.reduce((sum, line) => sum + line.added, 0)).toBe(25);
    const { body: cart } = await app.api.get<CartMerge['cart']>('/api/v1/cart/', { token: user.token });
    expect(new Map(cart.items.map((item) => [item.product_id, item.quantity]))).toEqual(
      new Map([
        [product, 25],
        [other, 20],
      ]),
    );
  });
});

describe('An Idempotency-Key of a merge', () => {
  it('adds once for ten requests at once on two nodes, and answers each alike', async () => {
    const product = await insertProduct(app);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => merge([[product, 2]], { key: 'once', api: nodes[n % 2] ?? app.api })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(held(answers[0]?.body ?? { cart: { items: [] } as never })).toEqual([[product, 2]]);
  });

  it('is 422 with other lines, and with what an order had', async () => {
    const product = await insertProduct(app);
    await merge([[product, 1]], { key: 'mine' });
    expect((await merge([[product, 2]], { key: 'mine' })).status).toBe(422);
    expect((await placeOrder(app.api, user, 'ordered')).status).toBe(201);
    expect((await merge([[product, 1]], { key: 'ordered' })).status).toBe(422);
  });

  it('is forgotten after a day', async () => {
    const product = await insertProduct(app);
    await merge([[product, 1]], { key: 'old' });
    await app.database.rows(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE user_id = $1`, [
      user.id,
    ]);
    expect(held((await merge([[product, 1]], { key: 'old' })).body)).toEqual([[product, 2]]);
    expect(held((await merge([[product, 1]], { key: 'old' })).body)).toEqual([[product, 2]]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Cart } from '../../../src/store/cart/cart.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiAnswer, ApiClient } from '../../support/api-client.js';
import { addToCart, insertProduct, insertProducts } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
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

/** Adds all products concurrently, alternating between both nodes. */
function addAtOnce(productIds: number[], quantity = 1): Promise<ApiAnswer<Cart>[]> {
  return Promise.all(
    productIds.map((productId, index) => {
      const node = nodes[index % nodes.length] ?? app.api;
      return node.post<Cart>('/api/v1/cart/add', { token: user.token, json: { product_id: productId, quantity } });
    }),
  );
}

async function cart(): Promise<Cart> {
  return (await app.api.get<Cart>('/api/v1/cart/', { token: user.token })).body;
}

const statuses = (answers: ApiAnswer<unknown>[], status: number) =>
  answers.filter((one) => one.status === status).length;

describe('Adding to one cart at once', () => {
  it('adds up all additions of one product', async () => {
    const product = await insertProduct(app, { stock: 100 });
    const answers = await addAtOnce(Array.from({ length: 30 }, () => product));
    expect(statuses(answers, 200)).toBe(30);
    expect((await cart()).items.map(({ quantity }) => quantity)).toEqual([30]);
    expect(Math.max(...answers.map(({ body }) => body.items[0]?.quantity ?? 0))).toBe(30);
  });

  it('never exceeds the stock', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const answers = await addAtOnce(Array.from({ length: 40 }, () => product));
    expect([statuses(answers, 200), statuses(answers, 409)]).toEqual([10, 30]);
    expect((await cart()).items[0]?.quantity).toBe(10);
  });

  it('never exceeds 999 pieces', async () => {
    const product = await insertProduct(app, { stock: 100_000 });
    const answers = await addAtOnce([product, product, product, product], 333);
    expect([statuses(answers, 200), statuses(answers, 409)]).toEqual([3, 1]);
    expect((await cart()).items[0]?.quantity).toBe(999);
  });

  it('shows all added products in the last response', async () => {
    const answers = await addAtOnce(await insertProducts(app, 20));
    expect(statuses(answers, 200)).toBe(20);
    const longest = answers.map(({ body }) => body.items).sort((one, other) => other.length - one.length)[0];
    expect(longest).toHaveLength(20);
    expect((await cart()).items).toEqual(longest);
  });
});

describe('Adding to a cart that is being ordered', () => {
  it('waits, and responds with the cart without the ordered lines', async () => {
    const [ordered = 0, added = 0] = await insertProducts(app, 2);
    const { id } = await addToCart(app, user, ordered, 3);
    const order = await HeldTransaction.open(app.database, 'SELECT FROM carts WHERE id = $1 FOR UPDATE', [id]);
    await order.query('UPDATE carts SET updated_at = now() WHERE id = $1', [id]);
    await order.query('DELETE FROM cart_items WHERE cart_id = $1', [id]);
    const adding = addAtOnce([added]);
    await order.blocks(1);
    await order.commit();
    const [answer] = await adding;
    expect(answer?.status).toBe(200);
    expect(answer?.body.items.map(({ product_id }) => product_id)).toEqual([added]);
    expect(await cart()).toEqual(answer?.body);
  });

  it('starts a new line when the old one was ordered', async () => {
    const product = await insertProduct(app);
    const { id } = await addToCart(app, user, product, 3);
    const order = await HeldTransaction.open(app.database, 'UPDATE carts SET updated_at = now() WHERE id = $1', [id]);
    await order.query('DELETE FROM cart_items WHERE cart_id = $1', [id]);
    const adding = addAtOnce([product], 2);
    await order.blocks(1);
    await order.commit();
    expect((await adding)[0]?.body.items.map(({ quantity }) => quantity)).toEqual([2]);
  });

  it('responds with 404 to a new quantity for a line ordered in the meantime', async () => {
    const { id, items } = await addToCart(app, user, await insertProduct(app), 3);
    const order = await HeldTransaction.open(app.database, 'UPDATE carts SET updated_at = now() WHERE id = $1', [id]);
    await order.query('DELETE FROM cart_items WHERE cart_id = $1', [id]);
    const path = `/api/v1/cart/items/${items[0]?.id}`;
    const setting = app.api.put(path, { token: user.token, json: { quantity: 1 } });
    await order.blocks(1);
    await order.commit();
    expect((await setting).status).toBe(404);
  });
});

describe('Emptying a cart', () => {
  it('locks its lines in the order of products, so that it cannot deadlock', async () => {
    const [low = 0, high = 0] = await insertProducts(app, 2);
    await addToCart(app, user, high);
    const { id } = await addToCart(app, user, low);
    const lockLine = 'SELECT FROM cart_items WHERE cart_id = $1 AND product_id = $2 FOR UPDATE';
    const other = await HeldTransaction.open(app.database, lockLine, [id, low]);
    const clearing = app.api.delete<Cart>('/api/v1/cart/', { token: user.token });
    await other.blocks(1);
    await other.query(lockLine, [id, high]);
    await other.commit();
    expect((await clearing).status).toBe(200);
    expect((await cart()).items).toEqual([]);
  });
});

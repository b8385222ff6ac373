import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiAnswer, ApiClient } from '../../support/api-client.js';
import { checkout, placeOrder } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, insertProducts, stockOf, usesOf } from '../../support/goods.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());

const node = (index: number): ApiClient => nodes[index % nodes.length] ?? app.api;

async function buyers(howMany: number, products: (index: number) => number[], quantity = 1): Promise<InsertedUser[]> {
  const users = await Promise.all(Array.from({ length: howMany }, () => insertUser(app)));
  await Promise.all(users.map((user, index) => fillCart(app, user, products(index), quantity)));
  return users;
}

function count(answers: ApiAnswer<object>[], status: number, code?: string): number {
  const hasCode = (body: object) => code === undefined || ('code' in body && body.code === code);
  return answers.filter((answer) => answer.status === status && hasCode(answer.body)).length;
}

describe('Concurrent buyers over two nodes', () => {
  it('get 10 pieces between 40 of them', async () => {
    const product = await insertProduct(app, { stock: 10 });
    const users = await buyers(40, () => [product]);
    const answers = await Promise.all(users.map((user, index) => checkout(node(index), user)));
    expect(count(answers, 201)).toBe(10);
    expect(count(answers, 409, 'insufficient_stock')).toBe(30);
    expect(await stockOf(app, product)).toBe(0);
  });

  it('use a coupon of 3 uses 3 times in 20 checkouts', async () => {
    const coupon = await insertCoupon(app, 'THREE', { maxUses: 3 });
    const product = await insertProduct(app, { stock: 100 });
    const users = await buyers(20, () => [product]);
    const answers = await Promise.all(users.map((user, index) => checkout(node(index), user, { coupon: 'three' })));
    expect(count(answers, 201)).toBe(3);
    expect(count(answers, 400, 'coupon_unusable')).toBe(17);
    expect(await usesOf(app, coupon)).toBe(3);
    expect(await stockOf(app, product)).toBe(97);
  });

  it('get whole orders when their carts overlap', async () => {
    const products = await insertProducts(app, 6, 1000);
    const users = await buyers(30, (index) => (index % 2 === 0 ? products : products.toReversed()), 2);
    const answers = await Promise.all(users.map((user, index) => checkout(node(index), user)));
    expect(count(answers, 201)).toBe(30);
    expect(await Promise.all(products.map((id) => stockOf(app, id)))).toEqual(products.map(() => 940));
  });
});

describe('One cart ordered at once', () => {
  it('becomes one order for ten requests, and is empty for the others', async () => {
    const product = await insertProduct(app, { stock: 100 });
    const [user] = await buyers(1, () => [product], 2);
    if (!user) throw new Error('There is no buyer');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index < 5 ? checkout(node(index), user) : placeOrder(node(index), user),
      ),
    );
    expect(count(answers, 201)).toBe(1);
    expect(count(answers, 400, 'empty_cart')).toBe(9);
    expect(await stockOf(app, product)).toBe(98);
    const orders = await app.api.get<Order[]>('/api/v1/orders/', { token: user.token });
    expect(orders.body.map(({ items }) => items.map(({ quantity }) => quantity))).toEqual([[2]]);
  });
});

describe('An order', () => {
  it('locks its products in the order of ids, so that it cannot deadlock', async () => {
    const [low = 0, high = 0] = await insertProducts(app, 2);
    const [user] = await buyers(1, () => [high, low]);
    if (!user) throw new Error('There is no buyer');
    const lock = 'SELECT FROM products WHERE id = $1 FOR UPDATE';
    const other = await HeldTransaction.open(app.database, lock, [low]);
    const order = checkout(app.api, user);
    await other.blocks(1);
    await other.query(lock, [high]);
    await other.commit();
    expect((await order).status).toBe(201);
  });

  it('locks its coupon after its products', async () => {
    const product = await insertProduct(app);
    const coupon = await insertCoupon(app, 'AFTERWARDS');
    const [user] = await buyers(1, () => [product]);
    if (!user) throw new Error('There is no buyer');
    const other = await HeldTransaction.open(app.database, 'SELECT FROM products WHERE id = $1 FOR UPDATE', [product]);
    const order = checkout(app.api, user, { coupon: 'AFTERWARDS' });
    await other.blocks(1);
    await other.query('SELECT FROM coupons WHERE id = $1 FOR UPDATE NOWAIT', [coupon]);
    await other.commit();
    expect((await order).status).toBe(201);
  });

  it.each([undefined, 'OF-ALL'])('has the lines of the addition that it waited for (coupon %s)', async (code) => {
    if (code !== undefined) await insertCoupon(app, code);
    const [first = 0, second = 0] = await insertProducts(app, 2);
    const [user] = await buyers(1, () => [first]);
    if (!user) throw new Error('There is no buyer');
    const stamp = 'UPDATE carts SET updated_at = now() WHERE user_id = $1';
    const addition = await HeldTransaction.open(app.database, stamp, [user.id]);
    await addition.query(
      'INSERT INTO cart_items (cart_id, product_id, quantity) SELECT id, $2, 3 FROM carts WHERE user_id = $1',
      [user.id, second],
    );
    const order = checkout(app.api, user, code === undefined ? {} : { coupon: code });
    await addition.blocks(1);
    await addition.commit();
    const { body } = await order;
    expect(body.items.map(({ product_id, quantity }) => [product_id, quantity])).toEqual([
      [first, 1],
      [second, 3],
    ]);
  });

  it('waits for whoever changes its cart again, and for nobody who has the goods of others', async () => {
    const [first = 0, second = 0, foreign = 0] = await insertProducts(app, 3);
    const [user] = await buyers(2, (index) => [index === 0 ? first : foreign]);
    if (!user) throw new Error('There is no buyer');
    const lock = 'SELECT FROM products WHERE id = $1 FOR UPDATE';
    const elsewhere = await HeldTransaction.open(app.database, lock, [foreign]);
    const stamp = 'UPDATE carts SET updated_at = now() WHERE user_id = $1';
    const change = await HeldTransaction.open(app.database, stamp, [user.id]);
    const order = checkout(app.api, user);
    await change.blocks(1);
    const opened = HeldTransaction.open(app.database, stamp, [user.id]);
    await change.blocks(2);
    await change.commit();
    const next = await opened;
    await next.query(
      'INSERT INTO cart_items (cart_id, product_id, quantity) SELECT id, $2, 3 FROM carts WHERE user_id = $1',
      [user.id, second],
    );
    // Unless the order has the cart again before the second change comes, which is as well.
    await Promise.race([next.blocks(1), order]);
    await next.commit();
    expect((await order).status).toBe(201);
    await elsewhere.commit();
  });

  it('sees the stock left by the order that it waited for', async () => {
    const product = await insertProduct(app, { stock: 5 });
    const [user] = await buyers(1, () => [product], 2);
    if (!user) throw new Error('There is no buyer');
    const other = await HeldTransaction.open(app.database, 'UPDATE products SET stock = 1 WHERE id = $1', [product]);
    const order = checkout(app.api, user);
    await other.blocks(1);
    await other.commit();
    expect((await order).status).toBe(409);
    expect(await stockOf(app, product)).toBe(1);
  });

  it('does not sell a product deleted while it waited', async () => {
    const product = await insertProduct(app, { stock: 5 });
    const [user] = await buyers(1, () => [product]);
    if (!user) throw new Error('There is no buyer');
    const deletion = 'UPDATE products SET deleted_at = now() WHERE id = $1';
    const other = await HeldTransaction.open(app.database, deletion, [product]);
    const order = checkout(app.api, user);
    await other.blocks(1);
    await other.commit();
    expect((await order).status).toBe(400);
    expect(await stockOf(app, product)).toBe(5);
  });

  it('does not use a coupon used up while it waited', async () => {
    const product = await insertProduct(app, { stock: 5 });
    const coupon = await insertCoupon(app, 'LAST-ONE', { maxUses: 1 });
    const [user] = await buyers(1, () => [product]);
    if (!user) throw new Error('There is no buyer');
    const other = await HeldTransaction.open(app.database, 'UPDATE coupons SET current_uses = 1 WHERE id = $1', [
      coupon,
    ]);
    const order = checkout(app.api, user, { coupon: 'LAST-ONE' });
    await other.blocks(1);
    await other.commit();
    expect((await order).status).toBe(400);
    expect(await usesOf(app, coupon)).toBe(1);
  });

  it('is placed in a new transaction after losing a deadlock', async () => {
    const [low = 0, high = 0] = await insertProducts(app, 2);
    const [user] = await buyers(1, () => [low, high]);
    if (!user) throw new Error('There is no buyer');
    const lock = 'SELECT FROM products WHERE id = $1 FOR UPDATE';
    const other = await HeldTransaction.open(app.database, lock, [high]);
    const order = checkout(app.api, user);
    await other.blocks(1);
    await sleep(500); // the first to wait is the first to look for a deadlock, after a second, and gives way
    await other.query(lock, [low]);
    await other.commit();
    expect((await order).status).toBe(201);
    expect([await stockOf(app, low), await stockOf(app, high)]).toEqual([99, 99]);
  });
});

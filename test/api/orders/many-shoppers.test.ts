import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cart } from '../../../src/store/cart/cart.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertProduct, insertProducts, stockOf } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
});
afterAll(() => app.close());

const node = (index: number): ApiClient => nodes[index % nodes.length] ?? app.api;

function add(index: number, { token }: InsertedUser, productId: number, quantity = 1) {
  return node(index).post<Cart>('/api/v1/cart/add', { token, json: { product_id: productId, quantity } });
}

const shoppers = (count: number) => Promise.all(Array.from({ length: count }, () => insertUser(app)));

async function transactions(table: 'orders' | 'cart_items'): Promise<number> {
  const [row] = await app.database.rows<{ count: string }>(`SELECT count(DISTINCT xmin::text) FROM ${table}`);
  return Number(row?.count);
}

/** What is in progress at once is committed together, as soon as connections for it are open. */
async function openConnections(): Promise<void> {
  const users = await shoppers(12);
  const product = await insertProduct(app, { stock: 1000 });
  const open = async () =>
    (
      await app.database.rows(
        `SELECT FROM pg_stat_activity
          WHERE application_name = 'store-service writes' AND datname = current_database()`,
      )
    ).length;
  while ((await open()) < nodes.length) await Promise.all(users.map((user, index) => add(index, user, product)));
  await app.database.rows('DELETE FROM cart_items');
}

describe('Many shoppers on two nodes', () => {
  beforeAll(openConnections);

  it('fill their carts and order in few transactions, each with their own goods', async () => {
    const products = await insertProducts(app, 12, 1000);
    const users = await shoppers(36);
    const carts = await Promise.all(users.map((user, index) => add(index, user, products[index % 12] ?? 0, 1 + index)));
    expect(carts.map(({ body }) => body.items.map(({ product_id, quantity }) => [product_id, quantity]))).toEqual(
      users.map((_, index) => [[products[index % 12], 1 + index]]),
    );
    expect(await transactions('cart_items')).toBeLessThan(users.length);
    await Promise.all(users.map((user, index) => add(index, user, products[(index * 7 + 5) % 12] ?? 0)));

    const orders = await Promise.all(users.map((user, index) => checkout(node(index), user)));
    expect(orders.map(({ status, body }) => [status, body.user_id])).toEqual(users.map(({ id }) => [201, id]));
    expect(await transactions('orders')).toBeLessThan(users.length);
    const sold = orders.flatMap(({ body }) => body.items).reduce((sum, { quantity }) => sum + quantity, 0);
    const [left] = await app.database.rows<{ stock: number }>(
      'SELECT sum(stock)::integer AS stock FROM products WHERE id = ANY ($1)',
      [products],
    );
    expect(12_000 - (left?.stock ?? 0)).toBe(sold);
    expect(await app.database.rows('SELECT FROM cart_items')).toEqual([]);
  });

  it('are each told what is wrong, while the orders of the others are placed', async () => {
    const [plenty = 0, scarce = 0, gone = 0] = await insertProducts(app, 3, 1000);
    const users = await shoppers(24);
    const goods = [[plenty], [plenty, scarce], [], [gone, plenty]];
    await Promise.all(users.map((user, index) => fillCart(app, user, goods[index % 4] ?? [])));
    await app.database.rows('UPDATE products SET stock = 2 WHERE id = $1', [scarce]);
    await app.database.rows('UPDATE products SET deleted_at = now() WHERE id = $1', [gone]);
    const answers = await Promise.all(users.map((user, index) => checkout(node(index >> 2), user)));
    const codes = (kind: number) =>
      answers
        .filter((_, index) => index % 4 === kind)
        .map(({ status, body }) => [status, (body as { code?: string }).code ?? null] as const)
        .toSorted(([one], [other]) => one - other);
    const six = <T>(value: T) => Array.from({ length: 6 }, () => value);
    expect(codes(0)).toEqual(six([201, null]));
    expect(codes(1)).toEqual([...six([201, null]).slice(4), ...six([409, 'insufficient_stock']).slice(2)]);
    expect(codes(2)).toEqual(six([400, 'empty_cart']));
    expect(codes(3)).toEqual(six([201, null]));
    expect(await Promise.all([plenty, scarce].map((id) => stockOf(app, id)))).toEqual([986, 0]);
  });
});

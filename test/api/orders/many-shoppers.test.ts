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

/** Whether a transaction wrote more than one of the rows. */
async function areGrouped(table: 'orders' | 'cart_items'): Promise<boolean> {
  const [row] = await app.database.rows<{ grouped: boolean }>(
    `SELECT count(DISTINCT xmin::text) < count(*) AS grouped FROM ${table}`,
  );
  return row?.grouped === true;
}

async function stock(products: readonly number[]): Promise<number> {
  const [row] = await app.database.rows<{ stock: number }>(
    'SELECT sum(stock)::integer AS stock FROM products WHERE id = ANY ($1)',
    [products],
  );
  return row?.stock ?? 0;
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
    const products = await insertProducts(app, 12, 1_000_000);
    const grouped = { cart_items: false, orders: false };
    // A group that waits too long for a lock is rolled back and its writes run alone, as on a busy machine.
    for (let round = 0; round < 10 && !(grouped.cart_items && grouped.orders); round += 1) {
      const users = await shoppers(36);
      const carts = await Promise.all(
        users.map((user, index) => add(index, user, products[index % 12] ?? 0, 1 + index)),
      );
      expect(carts.map(({ body }) => body.items.map(({ product_id, quantity }) => [product_id, quantity]))).toEqual(
        users.map((_, index) => [[products[index % 12], 1 + index]]),
      );
      grouped.cart_items ||= await areGrouped('cart_items');
      await Promise.all(users.map((user, index) => add(index, user, products[(index * 7 + 5) % 12] ?? 0)));

      const before = await stock(products);
      const orders = await Promise.all(users.map((user, index) => checkout(node(index), user)));
      expect(orders.map(({ status, body }) => [status, body.user_id])).toEqual(users.map(({ id }) => [201, id]));
      grouped.orders ||= await areGrouped('orders');
      const sold = orders.flatMap(({ body }) => body.items).reduce((sum, { quantity }) => sum + quantity, 0);
      expect(before - (await stock(products))).toBe(sold);
      expect(await app.database.rows('SELECT FROM cart_items')).toEqual([]);
    }
    expect(grouped).toEqual({ cart_items: true, orders: true });
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

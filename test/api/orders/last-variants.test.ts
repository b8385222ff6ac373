import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProductDetail } from '../../../src/store/catalogue/catalogue.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertProduct, stockOf } from '../../support/goods.js';
import { until } from '../../support/receiver.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let admin: InsertedUser;
let shoppers: InsertedUser[];
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
  admin = await insertAdmin(app);
  shoppers = await Promise.all(Array.from({ length: 8 }, () => insertUser(app)));
});
afterAll(() => app.close());

async function variants(count: number): Promise<number[]> {
  const group = randomUUID();
  const ids: number[] = [];
  for (let n = 0; n < count; n++) ids.push(await insertProduct(app, { price: 10, stock: 1 }));
  await app.database.rows('UPDATE products SET group_id = $1 WHERE id = ANY ($2)', [group, ids]);
  return ids;
}

const nodeOf = (n: number): ApiClient => nodes[n % nodes.length] ?? app.api;

async function shownStocks(api: ApiClient, id: number): Promise<number[]> {
  const { body } = await api.get<ProductDetail>(`/api/v1/products/${id}`);
  return body.variants.map(({ stock }) => stock);
}

describe('The last piece of each variant of a group, over two nodes', () => {
  it('is sold once, while prices of the group change, and both nodes show that it is gone', async () => {
    for (let run = 0; run < 5; run++) {
      const ids = await variants(2);
      const [one = 0, other = 0] = ids;
      for (const api of nodes) expect(await shownStocks(api, one)).toEqual([1, 1]);
      await app.database.rows('DELETE FROM cart_items');
      await Promise.all(shoppers.map((shopper, n) => fillCart(app, shopper, [n % 2 ? one : other])));
      const json = { ids, price: { amount: 1 } };
      const [changed, ...answers] = await Promise.all([
        app.api.post('/api/v1/admin/products/bulk', { token: admin.token, json }),
        ...shoppers.map((shopper, n) => checkout(nodeOf(n >> 1), shopper)),
      ]);
      expect(changed.status).toBe(200);
      const sold = answers.filter(({ status }) => status === 201);
      expect(sold).toHaveLength(2);
      expect(new Set(sold.map(({ body }) => body.items[0]?.product_id))).toEqual(new Set(ids));
      for (const { status, body } of answers) {
        if (status !== 201)
          expect([status, body]).toEqual([409, expect.objectContaining({ code: 'insufficient_stock' })]);
      }
      for (const { body } of sold) expect([10, 11]).toContain(body.items[0]?.price);
      for (const id of ids) expect(await stockOf(app, id)).toBe(0);
      for (const api of nodes) await until(async () => (await shownStocks(api, other)).every((stock) => stock === 0));
    }
  });

  it('in carts that have both variants is sold to one of them whole', async () => {
    const ids = await variants(2);
    await app.database.rows('DELETE FROM cart_items');
    await Promise.all(shoppers.map((shopper, n) => fillCart(app, shopper, n % 2 ? ids : [...ids].reverse())));
    const answers = await Promise.all(shoppers.map((shopper, n) => checkout(nodeOf(n), shopper)));
    const sold = answers.filter(({ status }) => status === 201);
    expect(sold.map(({ body }) => body.items.length)).toEqual([2]);
    for (const id of ids) expect(await stockOf(app, id)).toBe(0);
  });
});

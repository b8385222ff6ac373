import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.shapes.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { checkout, placeOrder } from '../../support/checkout.js';
import { addToCart, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let shop: TestApp;
let user: InsertedUser;
let product: number;
beforeAll(async () => {
  shop = await startTestApp();
});
afterAll(() => shop.close());
beforeEach(async () => {
  user = await insertUser(shop);
  product = await insertProduct(shop, { stock: 9 });
  await addToCart(shop, user, product, 2);
});

/** The stock as the product's public page shows it, which may be answered from memory. */
async function shownStock(): Promise<number> {
  return (await shop.api.get<Product>(`/api/v1/products/${product}`)).body.stock;
}

describe("A product's page", () => {
  it.each([
    ['POST /api/v1/orders/', () => placeOrder(shop.api, user)],
    ['POST /api/v1/orders/checkout', () => checkout(shop.api, user)],
  ])('shows the stock that %s left, at once', async (_, order) => {
    expect(await shownStock()).toBe(9);
    expect((await order()).status).toBe(201);
    expect(await shownStock()).toBe(7);
  });

  it('shows the stock that a cancelled order gave back, at once', async () => {
    const { token } = await insertAdmin(shop);
    const { body } = await checkout(shop.api, user);
    expect(await shownStock()).toBe(7);
    await shop.api.put(`/api/v1/admin/orders/${body.id}/status?new_status=cancelled`, { token });
    expect(await shownStock()).toBe(9);
  });
});

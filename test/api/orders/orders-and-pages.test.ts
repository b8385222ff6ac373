import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Product } from '../../../src/store/catalogue/catalogue.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { checkout, placeOrder } from '../../support/checkout.js';
import { addToCart, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let user: InsertedUser;
let product: number;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
  product = await insertProduct(app, { stock: 9 });
  await addToCart(app, user, product, 2);
});

/** The stock on the product's public page, which may come from memory. */
async function shownStock(): Promise<number> {
  return (await app.api.get<Product>(`/api/v1/products/${product}`)).body.stock;
}

describe("A product's page", () => {
  it.each([
    ['POST /api/v1/orders/', () => placeOrder(app.api, user)],
    ['POST /api/v1/orders/checkout', () => checkout(app.api, user)],
  ])('shows the stock that %s left, at once', async (_, order) => {
    expect(await shownStock()).toBe(9);
    expect((await order()).status).toBe(201);
    expect(await shownStock()).toBe(7);
  });

  it('shows the stock that a cancelled order gave back, at once', async () => {
    const { token } = await insertAdmin(app);
    const { body } = await checkout(app.api, user);
    expect(await shownStock()).toBe(7);
    await app.api.put(`/api/v1/admin/orders/${body.id}/status?new_status=cancelled`, { token });
    expect(await shownStock()).toBe(9);
  });
});

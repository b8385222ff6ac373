import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, stockOf, usesOf } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let admin: InsertedUser;
let user: InsertedUser;
let product: number;
let coupon: number;
let code: string;
let coupons = 0;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
  admin = await insertAdmin(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
  product = await insertProduct(app, { stock: 10 });
  code = `REFUND-${(coupons += 1)}`;
  coupon = await insertCoupon(app, code);
});

/** An order of three pieces with the coupon, moved through these statuses. */
async function orderThatWas(...statuses: string[]): Promise<Order> {
  await fillCart(app, user, [product], 3);
  const { body } = await checkout(app.api, user, { coupon: code });
  for (const status of statuses) expect((await setStatus(body.id, status)).status).toBe(200);
  return body;
}

const setStatus = (id: number, status: string, api = app.api) =>
  api.put<Order>(`/api/v1/admin/orders/${id}/status?new_status=${status}`, { token: admin.token });
const left = async () => ({ stock: await stockOf(app, product), uses: await usesOf(app, coupon) });

describe('Refunding an order', () => {
  it.each([[['paid']], [['paid', 'processing']], [['processing', 'on-hold']]])(
    'returns stock and coupon of what was not shipped: %j',
    async (statuses) => {
      const { id } = await orderThatWas(...statuses);
      expect(await left()).toEqual({ stock: 7, uses: 1 });
      expect((await setStatus(id, 'refunded')).body.items[0]?.product.stock).toBe(10);
      expect(await left()).toEqual({ stock: 10, uses: 0 });
    },
  );

  it.each([[['shipped']], [['paid', 'delivered']], [['completed']], [['shipped', 'lost', 'pending', 'paid']]])(
    'returns nothing of what was shipped: %j',
    async (statuses) => {
      const { id } = await orderThatWas(...statuses);
      expect((await setStatus(id, 'refunded')).status).toBe(200);
      expect(await left()).toEqual({ stock: 7, uses: 1 });
    },
  );

  it('shows the returned stock in the catalogue on every node', async () => {
    const { id } = await orderThatWas('paid');
    const path = `/api/v1/products/${product}`;
    for (const api of nodes) expect((await api.get(path)).body).toMatchObject({ stock: 7 });
    await setStatus(id, 'refunded');
    expect((await app.api.get(path)).body).toMatchObject({ stock: 10 });
  });

  it('returns stock and coupon once for ten concurrent requests over two nodes', async () => {
    const { id } = await orderThatWas('paid');
    const refunds = Array.from({ length: 10 }, (_, n) => setStatus(id, 'refunded', nodes[n % 2]));
    for (const { status } of await Promise.all(refunds)) expect(status).toBe(200);
    expect(await left()).toEqual({ stock: 10, uses: 0 });
  });

  it('wins or loses as a whole against concurrent cancelling and shipping', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = await orderThatWas('paid');
      const before = (await left()).stock ?? 0;
      const words = ['refunded', 'cancelled', 'shipped'];
      const moves = await Promise.all(words.map((word, n) => setStatus(id, word, nodes[n % 2])));
      // Shipping may come before the refund; of the other two, whichever is first is final.
      const [refunded, cancelled, shipped] = moves.map(({ status }) => status);
      expect(refunded).toBe(cancelled === 200 ? 409 : 200);
      const returned = cancelled === 200 || (refunded === 200 && shipped === 409);
      expect((await left()).stock).toBe(before + (returned ? 3 : 0));
      await app.database.rows('UPDATE products SET stock = 10 WHERE id = $1', [product]);
    }
  });
});

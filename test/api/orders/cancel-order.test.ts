import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, stockOf, usesOf } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let other: ApiClient;
let admin: InsertedUser;
let user: InsertedUser;
let product: number;
beforeAll(async () => {
  app = await startTestApp();
  other = (await app.anotherNode()).api;
  admin = await insertAdmin(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
  product = await insertProduct(app, { stock: 10 });
});

async function order(coupon?: string): Promise<Order> {
  await fillCart(app, user, [product], 4);
  return (await checkout(app.api, user, coupon === undefined ? {} : { coupon })).body;
}

const cancel = (id: number | string, token?: string, api = app.api) =>
  api.post<Order>(`/api/v1/orders/${id}/cancel`, { token });
const setStatus = (id: number, status: string, api = app.api) =>
  api.put<Order>(`/api/v1/admin/orders/${id}/status?new_status=${status}`, { token: admin.token });

describe('POST /api/v1/orders/{order_id}/cancel', () => {
  it("cancels the caller's pending order, and returns stock and coupon", async () => {
    const coupon = await insertCoupon(app, 'CALLED-OFF');
    const placed = await order('CALLED-OFF');
    const { status, body } = await cancel(placed.id, user.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: placed.id, status: 'cancelled', shipping_city: 'Springfield' });
    expect(body.items[0]?.product.stock).toBe(10);
    expect([await stockOf(app, product), await usesOf(app, coupon)]).toEqual([10, 0]);
    expect((await app.api.get(`/api/v1/orders/${placed.id}`, { token: user.token })).body).toEqual(body);
  });

  it('gives the same response when repeated, and returns the stock once, also for ten concurrent requests over two nodes', async () => {
    const { id } = await order();
    const calls = Array.from({ length: 10 }, (_, n) => cancel(id, user.token, n % 2 === 0 ? app.api : other));
    for (const { status, body } of await Promise.all(calls)) {
      expect([status, body.status]).toEqual([200, 'cancelled']);
    }
    expect(await stockOf(app, product)).toBe(10);
  });

  it.each(['paid', 'processing', 'shipped', 'delivered', 'completed', 'on-hold'])(
    'responds with 409 once the order is %s',
    async (status) => {
      const { id } = await order();
      await setStatus(id, status);
      const answer = await cancel(id, user.token);
      expect(answer).toMatchObject({ status: 409, body: { code: 'impossible_transition' } });
      expect(await stockOf(app, product)).toBe(6);
    },
  );

  it('responds with 409 for a refunded order', async () => {
    const { id } = await order();
    for (const status of ['paid', 'refunded']) await setStatus(id, status);
    expect((await cancel(id, user.token)).status).toBe(409);
  });

  it('responds with 409 for a shipped order that was moved back to pending', async () => {
    const { id } = await order();
    for (const status of ['shipped', 'lost', 'pending']) await setStatus(id, status);
    const answer = await cancel(id, user.token);
    expect(answer).toMatchObject({
      status: 409,
      body: { detail: expect.stringMatching(/^A shipped order cannot be canceled: /) },
    });
    expect(await stockOf(app, product)).toBe(6);
  });

  it("responds with 403 for another user's order, also to an admin, and changes nothing", async () => {
    const { id } = await order();
    for (const { token } of [await insertUser(app), admin]) {
      expect(await cancel(id, token)).toMatchObject({ status: 403, body: { code: 'not_the_owner' } });
    }
    expect(await stockOf(app, product)).toBe(6);
  });

  it('responds with 401 without a token', async () => {
    expect((await cancel((await order()).id)).status).toBe(401);
  });

  it.each(['0', '2147483647', '99999999999999999999'])('responds with 404 for the unknown order %s', async (id) => {
    expect((await cancel(id, user.token)).status).toBe(404);
  });

  it('wins or loses as a whole against concurrent shipping by an admin', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await order();
      const [cancelling, shipping] = await Promise.all([cancel(id, user.token), setStatus(id, 'shipped', other)]);
      expect(shipping.status).toBe(cancelling.status === 200 ? 409 : 200);
      expect(await stockOf(app, product)).toBe(cancelling.status === 200 ? 10 : 6);
      await app.database.rows('UPDATE products SET stock = 10 WHERE id = $1', [product]);
    }
  });
});

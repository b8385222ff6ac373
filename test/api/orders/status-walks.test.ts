import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { orderStatuses } from '../../../src/store/orders/order-status.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, stockOf, usesOf } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let admin: InsertedUser;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
  admin = await insertAdmin(app);
  user = await insertUser(app);
});
afterAll(() => app.close());

const full = 100;
const word = fc.oneof(fc.constantFrom(...orderStatuses), fc.constantFrom('on hold', 'CANCELED', 'lost', 'Shipped'));
/** Steps are sent one after another, the requests within a step concurrently. */
const walk = fc.array(fc.array(fc.oneof(word, fc.constant('owner cancels')), { minLength: 1, maxLength: 3 }), {
  minLength: 1,
  maxLength: 6,
});

async function step(order: number, move: string, api: ApiClient): Promise<number> {
  const path = `/api/v1/admin/orders/${order}/status?new_status=${encodeURIComponent(move)}`;
  const answer =
    move === 'owner cancels'
      ? api.post(`/api/v1/orders/${order}/cancel`, { token: user.token })
      : api.put(path, { token: admin.token });
  return (await answer).status;
}

describe('Any walk of an order through statuses, over two nodes', () => {
  it("keeps stock plus ordered pieces constant, and the coupon's uses equal to the open orders", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(walk, fc.integer({ min: 1, max: 9 }), async (steps, quantity) => {
        const code = `WALK-${(run += 1)}`;
        const coupon = await insertCoupon(app, code);
        const product = await insertProduct(app, { stock: full });
        await fillCart(app, user, [product], quantity);
        const { id } = (await checkout(app.api, user, { coupon: code })).body;
        for (const moves of steps) {
          const answers = await Promise.all(moves.map((move, n) => step(id, move, nodes[n % 2] ?? app.api)));
          for (const status of answers) expect([200, 409]).toContain(status);
        }
        const [order] = await app.database.rows<{ status: string; reached: string }>(
          'SELECT status, reached FROM orders WHERE id = $1',
          [id],
        );
        const { status = '', reached = '' } = order ?? {};
        const shipped = ['shipped', 'delivered', 'completed'].includes(reached);
        const returned = ['cancelled', 'refunded'].includes(status) && !shipped;
        if (status === 'cancelled') expect(shipped).toBe(false);
        expect(await stockOf(app, product)).toBe(full - (returned ? 0 : quantity));
        expect(await usesOf(app, coupon)).toBe(returned ? 0 : 1);
      }),
      { numRuns: 60 },
    );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertProduct } from '../../support/goods.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const address = {
  shipping_first_name: 'Ada',
  shipping_last_name: 'Lovelace',
  shipping_address: '12 St James Square',
  shipping_city: 'Springfield',
  shipping_zip: '01101',
  shipping_phone: '+1 555 0100',
};
const gone = Object.fromEntries(Object.keys(address).map((field) => [field, null]));

let app: TestApp;
let admin: InsertedUser;
let user: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

async function orderThatIs(status: string): Promise<number> {
  await fillCart(app, user, [await insertProduct(app)]);
  const { id } = (await checkout(app.api, user, { shipping: { phone: address.shipping_phone }, key: `for-${status}` }))
    .body;
  if (status !== 'pending') await setStatus(id, status);
  return id;
}

const setStatus = (id: number, status: string) =>
  app.api.put<Order>(`/api/v1/admin/orders/${id}/status?new_status=${encodeURIComponent(status)}`, {
    token: admin.token,
  });
const removeAccount = () => app.api.delete('/api/v1/users/me/profile', { token: user.token });
const seenByAdmin = async (id: number) =>
  (await app.api.get<Order>(`/api/v1/orders/${id}`, { token: admin.token })).body;

describe("A deleted account's orders", () => {
  it.each(['pending', 'paid', 'processing', 'shipped', 'on hold'])(
    'keep the address while they are %s, for admins alone',
    async (status) => {
      const id = await orderThatIs(status);
      expect((await removeAccount()).status).toBe(200);
      expect(await seenByAdmin(id)).toMatchObject({ status, ...address });
      expect((await app.api.get(`/api/v1/orders/${id}`)).body).toMatchObject(gone);
    },
  );

  it.each(['delivered', 'completed', 'cancelled', 'refunded'])('lose it at once when they are %s', async (status) => {
    const id = await orderThatIs('paid');
    await setStatus(id, status);
    await removeAccount();
    expect(await seenByAdmin(id)).toMatchObject({ status, ...gone, shipping_country: 'United States' });
  });

  it.each(['delivered', 'completed', 'cancelled', 'refunded'])('lose it when they become %s later', async (status) => {
    const id = await orderThatIs('paid');
    await removeAccount();
    const { body } = await setStatus(id, status);
    expect(body).toMatchObject({ status, ...gone });
    const [stored] = await app.database.rows(`SELECT ${Object.keys(address).join(', ')} FROM orders WHERE id = $1`, [
      id,
    ]);
    expect(stored).toEqual(gone);
  });

  it.each(['delivered', 'completed'])('lose it under a custom status that came after %s', async (reached) => {
    const id = await orderThatIs(reached);
    await setStatus(id, 'archived');
    await removeAccount();
    expect(await seenByAdmin(id)).toMatchObject({ status: 'archived', ...gone });
  });

  it('lose it under a custom status after delivery', async () => {
    const id = await orderThatIs('delivered');
    for (const status of ['sent back', 'processing']) await setStatus(id, status);
    await removeAccount();
    expect(await seenByAdmin(id)).toMatchObject({ status: 'processing', ...address });
    expect((await setStatus(id, 'archived')).body).toMatchObject({ status: 'archived', ...gone });
  });

  it('keep it until then', async () => {
    const id = await orderThatIs('pending');
    await removeAccount();
    for (const status of ['paid', 'on hold', 'shipped']) {
      expect((await setStatus(id, status)).body).toMatchObject({ status, ...address });
    }
  });

  it('lose it when deletion and delivery coincide, in either order', async () => {
    for (let round = 0; round < 10; round++) {
      user = await insertUser(app);
      const id = await orderThatIs('shipped');
      const answers = await Promise.all([removeAccount(), setStatus(id, 'delivered')]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await seenByAdmin(id)).toMatchObject({ status: 'delivered', ...gone });
    }
  });
});

describe('The orders of an account that stays', () => {
  it('keep the address when they are delivered', async () => {
    const id = await orderThatIs('delivered');
    expect(await seenByAdmin(id)).toMatchObject(address);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { MoneyCalls, pendingOrder } from '../../support/payments.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let admin: InsertedUser;
let user: InsertedUser;
let money: MoneyCalls;
beforeAll(async () => {
  app = await startTestApp();
  admin = await insertAdmin(app);
  money = new MoneyCalls(app, admin);
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

const pay = (id: number, by = user, json: object = {}) =>
  app.api.post(`/api/v1/orders/${id}/payment`, { token: by.token, json });

describe('POST /api/v1/orders/{id}/payment, where an admin records payments', () => {
  it('says how to pay', async () => {
    const { order } = await pendingOrder(app, user);
    expect(order).toMatchObject({ paid_total: 0, refunded_total: 0, payment_problem: null });
    const { status, body } = await pay(order.id);
    expect([status, body]).toEqual([200, { provider: 'manual', instructions: expect.any(String) }]);
  });

  it('is for the owner of a pending order', async () => {
    const { order } = await pendingOrder(app, user);
    expect(await pay(order.id, admin)).toMatchObject({ status: 403, body: { code: 'not_the_owner' } });
    expect((await pay(2_000_000_000)).status).toBe(404);
    expect((await app.api.post(`/api/v1/orders/${order.id}/payment`)).status).toBe(401);
    await money.setStatus(order.id, 'paid');
    expect(await pay(order.id)).toMatchObject({ status: 409, body: { code: 'not_payable' } });
  });

  it('refuses to send browsers to strangers', async () => {
    const { order } = await pendingOrder(app, user);
    for (const return_url of ['https://evil.example/', 'javascript:alert(1)', 'http://a@localhost/', '//localhost']) {
      expect((await pay(order.id, user, { return_url })).status).toBe(422);
    }
    expect((await pay(order.id, user, { return_url: 'http://localhost:5173/orders' })).status).toBe(200);
  });
});

describe('POST /api/v1/admin/orders/{id}/payments', () => {
  it('makes a pending order paid once it is fully paid', async () => {
    const { order } = await pendingOrder(app, user);
    const first = await money.record(order.id, { amount: 10 });
    expect([first.status, first.body.order.status, first.body.order.paid_total]).toEqual([201, 'pending', 10]);
    const json = { amount: 20, reference: ' BANK-1 ', method: 'bank transfer' };
    const entries = await auditedBy(app, () => money.record(order.id, json));
    expect(entries.map(({ action }) => action)).toEqual([
      'order.payment_recorded',
      'order.status_changed',
      'order.mail_sent',
    ]);
    expect(await money.order(order.id)).toMatchObject({ status: 'paid', paid_total: 30 });
    const { payments, due } = await money.payments(order.id);
    expect(due).toBe(0);
    expect(payments).toMatchObject([
      { amount: 10, reference: null },
      { amount: 20, reference: 'BANK-1', method: 'bank transfer', provider: 'manual', currency: 'USD' },
    ]);
  });

  it('leaves a status alone that was set by hand', async () => {
    const { order } = await pendingOrder(app, user);
    await money.setStatus(order.id, 'shipped');
    await money.record(order.id, { amount: 30 });
    expect(await money.order(order.id)).toMatchObject({ status: 'shipped', paid_total: 30 });
  });

  it('keeps the money for a cancelled order, tells so, and refunds it', async () => {
    const { order } = await pendingOrder(app, user);
    await app.api.post(`/api/v1/orders/${order.id}/cancel`, { token: user.token });
    await money.record(order.id, { amount: 30 });
    const late = { status: 'cancelled', paid_total: 30, payment_problem: 'paid_but_cancelled' };
    expect(await money.order(order.id)).toMatchObject(late);
    expect((await money.refund(order.id, { amount: 30 })).status).toBe(201);
    const settled = { status: 'cancelled', refunded_total: 30, payment_problem: null };
    expect(await money.order(order.id)).toMatchObject(settled);
  });

  it('tells of a paid order that is cancelled', async () => {
    const { order } = await pendingOrder(app, user);
    await money.record(order.id, { amount: 30 });
    await money.setStatus(order.id, 'cancelled');
    expect(await money.order(order.id)).toMatchObject({ payment_problem: 'paid_but_cancelled' });
  });

  it.each([
    [{ amount: 0 }],
    [{ amount: -1 }],
    [{ amount: 1.005 }],
    [{ amount: 10_000_000_000 }],
    [{ amount: '5' }],
    [{}],
    [{ amount: 5, currency: 'EUR' }],
    [{ amount: 5, reference: 'x'.repeat(10_240) }],
    [{ amount: 5, method: 'x'.repeat(101) }],
    [{ amount: 5, reference: 'a\u0000b' }],
  ])('refuses %j', async (json) => {
    const { order } = await pendingOrder(app, user);
    expect((await money.record(order.id, json)).status).toBe(422);
    expect(await money.order(order.id)).toMatchObject({ paid_total: 0 });
  });

  it('records a key once, and refuses it for another payment', async () => {
    const { order } = await pendingOrder(app, user);
    const first = await money.record(order.id, { amount: 10 }, 'key-1');
    const again = await money.record(order.id, { amount: 10 }, 'key-1');
    expect(again.body.payment).toEqual(first.body.payment);
    expect(await money.order(order.id)).toMatchObject({ paid_total: 10 });
    expect((await money.record(order.id, { amount: 11 }, 'key-1')).status).toBe(422);
  });

  it('records a reference once, for any order', async () => {
    const [one, other] = [await pendingOrder(app, user), await pendingOrder(app, user)];
    const json = { amount: 5, reference: 'BANK-2' };
    const answers = await Promise.all([one, other, one].map(({ order }) => money.record(order.id, json)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'payment_recorded' });
  });

  it('is for admins', async () => {
    const { order } = await pendingOrder(app, user);
    const path = `/api/v1/admin/orders/${order.id}/payments`;
    expect((await app.api.post(path, { token: user.token, json: { amount: 30 } })).status).toBe(403);
    expect((await app.api.get(path, { token: user.token })).status).toBe(403);
    expect((await money.record(2_000_000_000, { amount: 1 })).status).toBe(404);
  });

  it('hides what needs attention from strangers', async () => {
    const { order } = await pendingOrder(app, user);
    await app.api.post(`/api/v1/orders/${order.id}/cancel`, { token: user.token });
    await money.record(order.id, { amount: 30 });
    expect((await app.api.get(`/api/v1/orders/${order.id}`)).body).toMatchObject({ payment_problem: null });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Order } from '../../../src/store/orders/orders.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { auditedBy } from '../../support/audit.js';
import { checkout } from '../../support/checkout.js';
import { fillCart, insertCoupon, insertProduct, insertProducts, stockOf, usesOf } from '../../support/goods.js';
import { MoneyCalls, pendingOrder } from '../../support/payments.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let nodes: ApiClient[];
let user: InsertedUser;
let money: MoneyCalls;
beforeAll(async () => {
  app = await startTestApp();
  nodes = [app.api, (await app.anotherNode()).api];
  money = new MoneyCalls(app, await insertAdmin(app));
});
afterAll(() => app.close());
beforeEach(async () => {
  user = await insertUser(app);
});

async function paidOrder(goods?: Parameters<typeof pendingOrder>[2]) {
  const scene = await pendingOrder(app, user, goods);
  await money.record(scene.order.id, { amount: scene.order.total_price });
  return { ...scene, id: scene.order.id };
}

const statuses = (answers: { status: number }[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

describe('POST /api/v1/admin/orders/{id}/refunds', () => {
  it('refunds an amount, and says that it is to be paid back by hand', async () => {
    const { id, product } = await paidOrder();
    const entries = await auditedBy(app, async () => {
      const { status, body } = await money.refund(id, { amount: 12.5, reason: 'A scratch' });
      expect(status).toBe(201);
      const refund = { amount: 12.5, status: 'done', by_hand: true, reason: 'A scratch', lines: [], reference: null };
      expect(body.refunds).toMatchObject([{ ...refund, detail: expect.stringContaining('by hand') }]);
      expect(body.order).toMatchObject({ status: 'paid', paid_total: 30, refunded_total: 12.5 });
    });
    expect(entries.map(({ action }) => action)).toEqual([
      'order.refund_requested',
      'order.refunded',
      'order.mail_sent',
    ]);
    expect(await stockOf(app, product)).toBe(7);
  });

  it('refunds pieces, and returns them to the stock', async () => {
    const { id, product, item } = await paidOrder();
    const { body } = await money.refund(id, { lines: [{ item_id: item, quantity: 2 }] });
    expect(body.refunds).toMatchObject([{ amount: 20, lines: [{ item_id: item, quantity: 2 }] }]);
    expect(await stockOf(app, product)).toBe(9);
    await money.refund(id, { lines: [{ item_id: item, quantity: 1 }] });
    expect(await money.order(id)).toMatchObject({ status: 'refunded', refunded_total: 30 });
    expect(await stockOf(app, product)).toBe(10);
  });

  it('returns by a later cancellation only the rest', async () => {
    const { id, product, item } = await paidOrder();
    await money.refund(id, { lines: [{ item_id: item, quantity: 1 }] });
    expect((await money.setStatus(id, 'cancelled')).status).toBe(200);
    expect(await stockOf(app, product)).toBe(10);
  });

  it('returns no piece again that a cancellation returned', async () => {
    const { id, product, item } = await paidOrder();
    await money.setStatus(id, 'cancelled');
    const { body } = await money.refund(id, { lines: [{ item_id: item, quantity: 2 }] });
    expect(body.refunds).toMatchObject([{ status: 'done' }]);
    expect(await stockOf(app, product)).toBe(10);
  });

  it('keeps pieces out of stock that are not to return, whatever comes later', async () => {
    const { id, product, item } = await paidOrder();
    await money.refund(id, { lines: [{ item_id: item, quantity: 1 }], restock: false });
    expect(await stockOf(app, product)).toBe(7);
    await money.setStatus(id, 'cancelled');
    expect(await stockOf(app, product)).toBe(9);
  });

  it('returns stock and coupon of an unshipped order that is fully refunded by amount', async () => {
    const product = await insertProduct(app, { price: 10, stock: 5 });
    const coupon = await insertCoupon(app, `BACK-${product}`);
    await fillCart(app, user, [product], 2);
    const { body: order } = await checkout(app.api, user, { coupon: `BACK-${product}` });
    await money.record(order.id, { amount: order.total_price });
    await money.refund(order.id, { amount: order.total_price });
    expect(await money.order(order.id)).toMatchObject({ status: 'refunded' });
    expect([await stockOf(app, product), await usesOf(app, coupon)]).toEqual([5, 0]);
  });

  it('returns nothing of a shipped order by amount, and its pieces by lines', async () => {
    const { id, product, item } = await paidOrder();
    await money.setStatus(id, 'shipped');
    await money.refund(id, { amount: 10 });
    expect(await stockOf(app, product)).toBe(7);
    await money.refund(id, { amount: 20, lines: [{ item_id: item, quantity: 3 }] });
    expect(await stockOf(app, product)).toBe(10);
    expect(await money.order(id)).toMatchObject({ status: 'refunded' });
  });

  it('gives each line its part of the discount, which add up to it exactly', async () => {
    const products = await insertProducts(app, 3);
    await insertCoupon(app, `THIRD-${products[0]}`, { percent: 33.33 });
    await fillCart(app, user, products, 1);
    const { body: order } = await checkout(app.api, user, { coupon: `THIRD-${products[0]}` });
    await money.record(order.id, { amount: order.total_price });
    for (const { id: item_id } of order.items) {
      expect((await money.refund(order.id, { lines: [{ item_id, quantity: 1 }] })).status).toBe(201);
    }
    const goods = (order.subtotal * 100 - order.discount * 100) / 100;
    expect((await money.order(order.id)).refunded_total).toBeCloseTo(goods, 10);
    expect((await money.refund(order.id, { amount: order.shipping_cost })).body.order.status).toBe('refunded');
  });

  it('takes an amount from several payments', async () => {
    const { order } = await pendingOrder(app, user);
    for (const amount of [5, 25]) await money.record(order.id, { amount });
    const { body } = await money.refund(order.id, { amount: 12 });
    expect(body.refunds.map(({ amount }) => amount)).toEqual([5, 7]);
  });

  it('refunds a key once', async () => {
    const { id } = await paidOrder();
    const first = await money.refund(id, { amount: 10 }, 'refund-1');
    expect((await money.refund(id, { amount: 10 }, 'refund-1')).body.refunds).toEqual(first.body.refunds);
    expect(await money.order(id)).toMatchObject({ refunded_total: 10 });
    expect((await money.refund(id, { amount: 9 }, 'refund-1')).status).toBe(422);
  });

  it('refuses more than was paid, and says what is left', async () => {
    const { id } = await paidOrder();
    await money.refund(id, { amount: 25 });
    const { status, body } = await money.refund(id, { amount: 5.01 });
    expect([status, body]).toEqual([409, { code: 'refund_too_large', detail: expect.stringContaining('Only 5.00') }]);
  });

  it('refuses to refund what nobody paid', async () => {
    const { order } = await pendingOrder(app, user);
    await money.setStatus(order.id, 'paid');
    expect(await money.refund(order.id, { amount: 1 })).toMatchObject({
      status: 409,
      body: { code: 'refund_too_large' },
    });
  });

  it('refuses more pieces than were ordered, together', async () => {
    const { id, item } = await paidOrder();
    const lines = [
      { item_id: item, quantity: 2 },
      { item_id: item, quantity: 2 },
    ];
    expect(await money.refund(id, { lines })).toMatchObject({ status: 409, body: { code: 'refund_too_large' } });
  });

  it.each([
    ['nothing', {}],
    ['no lines', { lines: [] }],
    ['0', { amount: 0 }],
    ['a negative amount', { amount: -5 }],
    ['three decimals', { amount: 1.001 }],
    ['a line of no order', { lines: [{ item_id: 2_000_000_000, quantity: 1 }] }],
    ['no piece', { lines: [{ item_id: 1, quantity: 0 }] }],
    ['a reason of 10 kB', { amount: 1, reason: 'x'.repeat(10_240) }],
  ])('refuses %s', async (_what, json) => {
    const { id } = await paidOrder();
    expect((await money.refund(id, json)).status).toBe(422);
    expect(await money.order(id)).toMatchObject({ refunded_total: 0 });
  });
});

describe('The payment problem of an order', () => {
  it('is money for what was cancelled, until it went back, and nothing else', async () => {
    const problemOf = async (id: number) => (await money.order(id)).payment_problem;
    const { id } = await paidOrder();
    await money.setStatus(id, 'cancelled');
    expect(await problemOf(id)).toBe('paid_but_cancelled');
    await money.refund(id, { amount: 30 });
    expect(await problemOf(id)).toBeNull();
    const shipped = await paidOrder();
    await money.setStatus(shipped.id, 'shipped');
    const { order: unpaid } = await pendingOrder(app, user);
    await money.setStatus(unpaid.id, 'cancelled');
    expect([await problemOf(shipped.id), await problemOf(unpaid.id)]).toEqual([null, null]);
  });
});

describe('Races on two nodes', () => {
  it('refund one line once, for two admins at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, product, item } = await paidOrder({ quantity: 1 });
      const lines = [{ item_id: item, quantity: 1 }];
      const answers = await Promise.all(nodes.map((api) => money.refund(id, { lines }, undefined, api)));
      expect(statuses(answers)).toEqual([201, 409]);
      expect(await money.order(id)).toMatchObject({ refunded_total: 10, status: 'refunded' });
      expect(await stockOf(app, product)).toBe(10);
    }
  });

  it('never refund more than was paid', async () => {
    const { id } = await paidOrder();
    const many = Array.from({ length: 12 }, (_, n) => money.refund(id, { amount: 7 }, undefined, nodes[n % 2]));
    expect(statuses(await Promise.all(many))).toEqual([...Array<number>(4).fill(201), ...Array<number>(8).fill(409)]);
    expect(await money.order(id)).toMatchObject({ refunded_total: 28 });
  });

  it('return each piece once where a refund meets a cancellation', async () => {
    for (let round = 0; round < 6; round++) {
      const { id, product, item } = await paidOrder();
      const [refund, cancel] = await Promise.all([
        money.refund(id, { lines: [{ item_id: item, quantity: 2 }] }, undefined, nodes[round % 2]),
        money.setStatus(id, 'cancelled', nodes[(round + 1) % 2]),
      ]);
      expect([refund.status, cancel.status]).toEqual([201, 200]);
      expect(await stockOf(app, product)).toBe(10);
      const order: Order = await money.order(id);
      expect(order).toMatchObject({ status: 'cancelled', refunded_total: 20, payment_problem: 'paid_but_cancelled' });
    }
  });

  it('record the same key once', async () => {
    const { order } = await pendingOrder(app, user);
    const many = nodes.map((api) => money.record(order.id, { amount: 30 }, 'same', api));
    expect((await Promise.all(many)).every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await money.order(order.id)).toMatchObject({ paid_total: 30, status: 'paid' });
  });
});

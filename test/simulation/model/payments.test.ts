import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, order, Story } from '../story.js';

const admin = { client: 'admin', token: 'admin' };
const lines = [{ product: 5, pieces: 2 }];
const payment = { id: 'p1', amount: 20, currency: 'USD', provider: 'manual', reference: 'bank-1' };

let story: Story;
beforeEach(() => {
  story = new Story();
  story.ask('GET', '/admin/orders', admin, 200, [order(1, lines)]);
});

function record(reference: string, id: string, paid = 20): number {
  const answer = {
    payment: { ...payment, id, reference },
    order: order(1, lines, { status: 'paid', paid_total: paid }),
  };
  return story.ask('POST', '/admin/orders/1/payments', { ...admin, body: { amount: 20, reference } }, 201, answer);
}

function refund(amount: number, refunded: number, paid = 20): number {
  const status = refunded === paid ? 'refunded' : 'paid';
  const answer = {
    refunds: [{ id: `r${refunded}`, payment_id: 'p1', amount, status: 'done', lines: [] }],
    order: order(1, lines, { status, paid_total: paid, refunded_total: refunded }),
  };
  return story.ask('POST', '/admin/orders/1/refunds', { ...admin, body: { amount } }, 201, answer);
}

function books(payments: object[], refunds: object[], paid_total: number, refunded_total: number) {
  story.atEnd('/admin/orders/1/payments', { payments, refunds, paid_total, refunded_total });
}

describe('payments and refunds', () => {
  it('count once each', async () => {
    record('bank-1', 'p1');
    refund(5, 5);
    books([payment], [{ id: 'r5', payment_id: 'p1', amount: 5, status: 'done', lines: [] }], 20, 5);
    expect(await story.judged()).toEqual([]);
  });

  it('finds a reference that became two payments', async () => {
    record('bank-1', 'p1');
    const n = record('bank-1', 'p2', 40);
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['payments/reference', n]]);
    expect(violations[0]!.message).toContain('expected a 409');
  });

  it('finds money that an order shows and no payment brought', async () => {
    record('bank-1', 'p1');
    const n = story.ask('GET', '/admin/orders', admin, 200, [order(1, lines, { status: 'paid', paid_total: 40 })]);
    books([payment], [], 20, 0);
    expect(broken(await story.judged())).toEqual([['payments/conserved', n]]);
  });

  it('takes what the provider paid back where the books have it', async () => {
    record('bank-1', 'p1');
    story.payBack('r5', 1, 5);
    story.payBack('r5', 1, 5);
    refund(5, 5);
    books([payment], [{ id: 'r5', payment_id: 'p1', amount: 5, status: 'done', lines: [] }], 20, 5);
    expect(await story.judged()).toEqual([]);
  });

  it('finds money that the provider paid back and the books do not have', async () => {
    record('bank-1', 'p1');
    const lost = story.payBack('r4', 1, 5);
    const failed = story.payBack('r5', 1, 5);
    refund(5, 5);
    books([payment], [{ id: 'r5', payment_id: 'p1', amount: 5, status: 'failed', lines: [] }], 20, 5);
    expect(broken(await story.judged())).toEqual(
      expect.arrayContaining([
        ['payments/provider', lost],
        ['payments/provider', failed],
      ]),
    );
  });

  it('finds a refund of more than was paid', async () => {
    record('bank-1', 'p1');
    const n = refund(25, 25);
    expect(broken(await story.judged())).toContainEqual(['payments/refund-too-much', n]);
  });

  it('finds a refund of another amount than was asked for', async () => {
    record('bank-1', 'p1');
    const answer = {
      refunds: [{ id: 'r', amount: 6, status: 'done' }],
      order: order(1, lines, { status: 'paid', paid_total: 20, refunded_total: 6 }),
    };
    const n = story.ask('POST', '/admin/orders/1/refunds', { ...admin, body: { amount: 5 } }, 201, answer);
    expect(broken(await story.judged())).toEqual([['payments/refund-amount', n]]);
  });

  it('lets the books decide what became of a payment without an answer', async () => {
    story.ask('POST', '/admin/orders/1/payments', { ...admin, body: { amount: 20, reference: 'bank-1' } }, 'lost');
    const n = story.ask('GET', '/admin/orders', admin, 200, [order(1, lines, { status: 'paid', paid_total: 20 })]);
    books([payment], [], 20, 0);
    expect(await story.judged()).toEqual([]);
    books([], [], 0, 0);
    expect(broken(await story.judged())).toEqual([['payments/conserved', n]]);
  });
});

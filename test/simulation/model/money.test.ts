import { beforeEach, describe, expect, it } from '@jest/globals';
import { discountCents } from '../../../simulation/model/money.js';
import { broken, order, Story } from '../story.js';

const admin = { client: 'admin', token: 'admin' };
const lines = [
  { product: 5, pieces: 2, price: 10.35 },
  { product: 6, pieces: 1, price: 4 },
];

let story: Story;
beforeEach(() => {
  story = new Story();
});

function see(fields: Record<string, unknown>): number {
  return story.ask('GET', '/admin/orders', admin, 200, [order(1, lines, fields)]);
}

describe('discountCents', () => {
  it.each([
    [2070, 12.5, 259],
    [100, 0.5, 1],
    [99, 0.5, 0],
    [1000, 33.333, 333],
  ])('rounds half up: of %i, %f %% is %i', (subtotal, percent, expected) => {
    expect(discountCents(subtotal, percent)).toBe(expected);
  });
});

describe('money', () => {
  it('is that of the lines, less the discount, plus shipping', async () => {
    see({ discount: 2.59, shipping_cost: 5.99, coupon_code: 'TEN' });
    expect(await story.judged()).toEqual([]);
  });

  it.each([
    ['money/subtotal', { subtotal: 24, total_price: 24 }],
    ['money/total', { total_price: 24.71 }],
    ['money/discount', { discount: 30 }],
    ['money/refunded', { status: 'paid', paid_total: 10, refunded_total: 11 }],
    ['money/paid-status', { paid_total: 24.7 }],
    ['money/lines', { items: [], subtotal: 0, total_price: 0 }],
  ])('finds what breaks %s', async (rule, fields) => {
    const n = see(fields);
    expect(broken(await story.judged())).toContainEqual([rule, n]);
  });

  it('says what was expected, and what there is', async () => {
    see({ total_price: 24.71 });
    const [violation] = await story.judged();
    expect(violation!.message).toBe('Order 1 should cost 24.70 (goods less discount, plus shipping), and costs 24.71');
  });

  it('hides shipping from others, who see a total that may have it', async () => {
    story.ask('GET', '/orders/1', { client: 'stranger' }, 200, order(1, lines, { total_price: 30.69 }));
    expect(await story.judged()).toEqual([]);
    story.ask('GET', '/orders/2', { client: 'stranger' }, 200, order(2, lines, { total_price: 20 }));
    expect(broken(await story.judged())).toEqual([['money/total', 1]]);
  });

  it('finds an order whose price changed, and money that vanished', async () => {
    see({ status: 'paid', paid_total: 24.7 });
    const changed = story.ask('GET', '/admin/orders', admin, 200, [
      order(1, [lines[0]!], { status: 'paid', paid_total: 24.7 }),
    ]);
    const less = see({ status: 'paid', paid_total: 20 });
    expect(broken(await story.judged())).toEqual([
      ['money/order-stays', changed],
      ['money/paid-stays', less],
    ]);
  });

  it('finds books that do not add up', async () => {
    const books = {
      paid_total: 20,
      refunded_total: 5,
      payments: [{ id: 'p', amount: 20, currency: 'USD' }],
      refunds: [{ id: 'r', payment_id: 'p', amount: 5, status: 'done' }],
    };
    story.ask('GET', '/admin/orders/1/payments', admin, 200, books);
    expect(await story.judged()).toEqual([]);
    const paid = story.ask('GET', '/admin/orders/1/payments', admin, 200, { ...books, paid_total: 40 });
    const tooMuch = [{ ...books.refunds[0], amount: 25 }];
    const back = story.ask('GET', '/admin/orders/1/payments', admin, 200, {
      ...books,
      refunded_total: 25,
      refunds: tooMuch,
    });
    expect(broken(await story.judged())).toEqual([
      ['money/books', paid],
      ['money/refund-too-much', back],
    ]);
  });

  it('finds a revenue that is not that of the paid orders', async () => {
    const paid = order(1, lines, { status: 'paid', paid_total: 24.7 });
    story
      .atEnd('/admin/orders', [paid])
      .atEnd('/admin/stats', { total_revenue: 24.7, total_orders: 1, pending_orders: 0 });
    expect(await story.judged()).toEqual([]);
    story.atEnd('/admin/stats', { total_revenue: 0, total_orders: 2, pending_orders: 1 });
    const rules = broken(await story.judged()).map(([rule]) => rule);
    expect(rules).toEqual(['money/revenue', 'money/order-count', 'money/order-count']);
  });
});

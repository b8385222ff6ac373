import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, cart, order, placedMail, Story } from '../story.js';

const admin = { client: 'admin', token: 'admin' };

let story: Story;
let token: string;
beforeEach(() => {
  story = new Story();
  token = story.signIn('ada');
  story.ask('POST', '/admin/products', { ...admin, body: { name: 'Thing 5', price: 10, stock: 3 } }, 201, {
    id: 5,
    stock: 3,
  });
});

function buy(id: number, pieces: number) {
  const lines = [{ product: 5, pieces }];
  story.ask('POST', '/cart/add', { token, body: { product_id: 5, quantity: pieces } }, 200, cart(lines));
  const placed = order(id, lines);
  const n = story.ask('POST', '/orders', { token, key: `key-${id}` }, 201, placed);
  placedMail(story, placed);
  return { n, placed };
}

function see(stock: number): number {
  return story.ask('GET', '/admin/products/5', admin, 200, { id: 5, stock });
}

describe('stock', () => {
  it('is what was set, less what was sold, and what came back', async () => {
    const { placed } = buy(1, 2);
    see(1);
    story.ask('POST', '/orders/1/cancel', { token }, 200, { ...placed, status: 'cancelled' });
    see(3);
    story.atEnd('/admin/products', [{ id: 5, stock: 3 }]);
    expect(await story.judged()).toEqual([]);
  });

  it('finds a piece that was sold twice', async () => {
    buy(1, 2);
    const { n } = buy(2, 2);
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['stock/conserved', n]]);
    expect(violations[0]!.message).toBe(
      'Product 5: 2 pieces were sold; by what was set, sold and returned, its stock can be 1',
    );
  });

  it('finds pieces that did not come back', async () => {
    const { placed } = buy(1, 2);
    story.ask('POST', '/orders/1/cancel', { token }, 200, { ...placed, status: 'cancelled' });
    story.atEnd('/admin/products', [{ id: 5, stock: 1 }]);
    expect(broken(await story.judged())).toEqual([['stock/conserved', undefined]]);
  });

  it('finds a stock below zero', async () => {
    const n = see(-1);
    expect((await story.judged()).filter(({ entry }) => entry === n).map(({ rule }) => rule)).toContain(
      'stock/never-below-zero',
    );
  });

  it('lets a later read decide what became of an answer that was lost', async () => {
    story.ask('POST', '/orders', { token }, 'lost');
    see(3);
    see(3);
    expect(await story.judged()).toEqual([]);
    const taken = order(1, [{ product: 5, pieces: 2 }]);
    story.atEnd('/admin/orders', [taken]).atEnd('/admin/products', [{ id: 5, stock: 1 }]);
    story.mail('placed-1', 'ada@example.com', 'Your order 1', '2 × Thing 5, Total: $20.00');
    expect(await story.judged()).toEqual([]);
    story.atEnd('/admin/products', [{ id: 5, stock: 3 }]);
    expect(broken(await story.judged())).toEqual([['stock/conserved', undefined]]);
  });

  it('knows that the pieces of an order come back that nobody saw before it was cancelled', async () => {
    story.ask('POST', '/orders', { token }, 'lost');
    const ended = order(1, [{ product: 5, pieces: 2 }], { status: 'cancelled' });
    story.atEnd('/admin/orders', [ended]).atEnd('/admin/products', [{ id: 5, stock: 3 }]);
    expect(await story.judged()).toEqual([]);
    story.atEnd('/admin/products', [{ id: 5, stock: 1 }]);
    expect(broken(await story.judged())).toEqual([['stock/conserved', undefined]]);
  });

  it('brings back the pieces of a refund once, and the rest when the order is cancelled', async () => {
    const { placed } = buy(1, 3);
    const paid = { ...placed, status: 'paid', paid_total: 30 };
    const payment = { id: 'p', amount: 30, currency: 'USD' };
    story.ask('POST', '/admin/orders/1/payments', { ...admin, body: { amount: 30 } }, 201, { payment, order: paid });
    const refund = {
      id: 'r',
      amount: 10,
      status: 'done',
      restock: true,
      payment_id: 'p',
      lines: [{ item_id: 10, quantity: 1 }],
    };
    const partly = { ...paid, refunded_total: 10 };
    story.ask('POST', '/admin/orders/1/refunds', { ...admin, body: { lines: refund.lines } }, 201, {
      refunds: [refund],
      order: partly,
    });
    see(1);
    story.ask('PUT', '/admin/orders/1/status?new_status=cancelled', admin, 200, { ...partly, status: 'cancelled' });
    see(3);
    expect(await story.judged()).toEqual([]);
    const n = see(4);
    expect(broken(await story.judged())).toEqual([['stock/conserved', n]]);
  });
});

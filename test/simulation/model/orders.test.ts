import { beforeEach, describe, expect, it } from '@jest/globals';
import { mayTurn } from '../../../simulation/model/order-statuses.js';
import { broken, order, placedMail, Story } from '../story.js';

const admin = { client: 'admin', token: 'admin' };
const lines = [{ product: 5, pieces: 1 }];
const shipping = { shipping: { city: 'Springfield' } };

let story: Story;
let token: string;
beforeEach(() => {
  story = new Story();
  token = story.signIn('ada');
});

function place(id: number, key?: string, body: Record<string, unknown> = shipping): number {
  const placed = order(id, lines);
  if (!story.entries.some(({ kind, ...mail }) => kind === 'mail' && 'id' in mail && mail.id === `placed-${id}`))
    placedMail(story, placed);
  return story.ask('POST', '/orders/checkout', { token, body, ...(key !== undefined && { key }) }, 201, placed);
}

describe('mayTurn', () => {
  it.each([
    ['pending', 'shipped', true],
    ['shipped', 'paid', false],
    ['shipped', 'cancelled', false],
    ['processing', 'cancelled', true],
    ['cancelled', 'refunded', false],
    ['delivered', 'refunded', true],
    ['on hold', 'paid', true],
    ['refunded', 'on hold', false],
  ])('from %s to %s: %s', (before, status, expected) => {
    expect(mayTurn(before, status)).toBe(expected);
  });
});

describe('orders', () => {
  it('are one for each key, and go forward', async () => {
    place(1, 'k');
    place(1, 'k');
    story.ask('GET', '/orders/', { token }, 200, [order(1, lines, { status: 'paid', paid_total: 10 })]);
    story.ask(
      'PUT',
      '/admin/orders/1/status?new_status=Shipped',
      admin,
      200,
      order(1, lines, { status: 'shipped', paid_total: 10 }),
    );
    story.mail('shipped', 'ada@example.com', 'Your order 1 was shipped', '1 × Thing 5');
    expect(await story.judged()).toEqual([]);
  });

  it('finds a second order by one key', async () => {
    place(1, 'k');
    story.ask('POST', '/cart/add', { token, body: { product_id: 5, quantity: 1 } }, 200, {
      items: [{ id: 105, product_id: 5, quantity: 1 }],
    });
    const n = place(2, 'k');
    expect(broken(await story.judged())).toEqual([['keys/once', n]]);
  });

  it.each([400, 422])('finds an order whose key is answered with a %i when it comes again', async (status) => {
    place(1, 'k');
    const refusal = { detail: 'The cart is empty: add a product to it first', code: 'empty_cart' };
    const n = story.ask('POST', '/orders/checkout', { token, key: 'k', body: shipping }, status, refusal);
    expect(broken(await story.judged())).toContainEqual(['keys/once', n]);
  });

  it('finds a key that was taken with another body', async () => {
    place(1, 'k');
    const n = place(1, 'k', { shipping: { city: 'Boston' } });
    expect(broken(await story.judged())).toEqual([['keys/other-body', n]]);
  });

  it('finds an order that is lost, and one of nobody', async () => {
    const n = place(1);
    story.atEnd('/admin/orders', []);
    expect(broken(await story.judged())).toEqual([['orders/lost', n]]);
    story.atEnd('/admin/orders', [order(1, lines), order(2, lines, { created_at: story.now })]);
    expect(broken(await story.judged())).toEqual([['orders/of-nobody', undefined]]);
  });

  it('finds a way back, and out of a final status', async () => {
    place(1);
    story.ask('GET', '/orders/', { token }, 200, [order(1, lines, { status: 'cancelled' })]);
    const n = story.ask('GET', '/orders/', { token }, 200, [order(1, lines, { status: 'shipped' })]);
    expect(broken(await story.judged())).toContainEqual(['orders/transition', n]);
  });

  it('takes an answer that overlapped a change for an older one', async () => {
    place(1);
    story.ask('POST', '/orders/1/cancel', { token }, 200, order(1, lines, { status: 'cancelled' }));
    story.ask('GET', '/orders/', { token, beside: 1 }, 200, [order(1, lines)]);
    expect(await story.judged()).toEqual([]);
    const n = story.ask('GET', '/orders/', { token }, 200, [order(1, lines)]);
    expect(broken(await story.judged())).toContainEqual(['orders/transition', n]);
  });

  it('finds that its owner cancelled what was paid', async () => {
    place(1);
    story.ask('GET', '/orders/', { token }, 200, [order(1, lines, { status: 'paid', paid_total: 10 })]);
    const n = story.ask(
      'POST',
      '/orders/1/cancel',
      { token },
      200,
      order(1, lines, { status: 'cancelled', paid_total: 10 }),
    );
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['orders/cancel', n]]);
    expect(violations[0]!.message).toBe(
      'Order 1 was paid: its owner can cancel it only while it is pending, but was answered 200',
    );
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, cart, order, placedMail, Story } from '../story.js';

let story: Story;
let token: string;
beforeEach(() => {
  story = new Story();
  token = story.signIn('ada');
  story.ask('DELETE', '/cart/', { token }, 200, cart([]));
});

function add(pieces: number, ...answer: [number, Record<string, unknown>] | ['lost']): number {
  return story.ask('POST', '/cart/add', { token, body: { product_id: 5, quantity: pieces } }, ...answer);
}

describe('carts', () => {
  it('hold what was added, changed and removed, and are empty after an order', async () => {
    add(2, 200, cart([{ product: 5, pieces: 2 }]));
    add(1, 200, cart([{ product: 5, pieces: 3 }]));
    story.ask('PUT', '/cart/items/105', { token, body: { quantity: 1 } }, 200, cart([{ product: 5, pieces: 1 }]));
    const placed = order(1, [{ product: 5, pieces: 1 }]);
    story.ask('POST', '/orders/', { token }, 201, placed);
    placedMail(story, placed);
    story.ask('GET', '/cart/', { token }, 200, cart([]));
    expect(await story.judged()).toEqual([]);
  });

  it('are empty after an order that was refused at first', async () => {
    add(2, 200, cart([{ product: 5, pieces: 2 }]));
    const placed = order(1, [{ product: 5, pieces: 2 }]);
    const asked = { token, key: 'k' };
    story.ask('POST', '/orders/', asked, 401, { detail: 'The access token has expired', code: 'token_expired' });
    story.ask('POST', '/orders/', asked, 201, placed);
    placedMail(story, placed);
    story.ask('GET', '/cart/', { token }, 200, cart([]));
    expect(await story.judged()).toEqual([]);
  });

  it('finds an addition that was lost', async () => {
    add(2, 200, cart([{ product: 5, pieces: 2 }]));
    const n = add(1, 200, cart([{ product: 5, pieces: 1 }]));
    const violations = await story.judged();
    expect(broken(violations)).toEqual([['cart/contents', n]]);
    expect(violations[0]!.message).toContain(
      '1 of 5 is in the cart after "add" of ada; before, it can have held 2 of 5',
    );
  });

  it('finds a cart that is full after its order', async () => {
    add(2, 200, cart([{ product: 5, pieces: 2 }]));
    const placed = order(1, [{ product: 5, pieces: 2 }]);
    story.ask('POST', '/orders/', { token }, 201, placed);
    placedMail(story, placed);
    const n = story.ask('GET', '/cart/', { token }, 200, cart([{ product: 5, pieces: 2 }]));
    expect(broken(await story.judged())).toEqual([['cart/contents', n]]);
  });

  it('finds an order of what was not in the cart', async () => {
    add(2, 200, cart([{ product: 5, pieces: 2 }]));
    const placed = order(1, [{ product: 5, pieces: 3 }]);
    const n = story.ask('POST', '/orders/', { token }, 201, placed);
    placedMail(story, placed);
    expect(broken(await story.judged())).toEqual([['cart/contents', n]]);
  });

  it('knows both what an addition without an answer may have done', async () => {
    add(2, 'lost');
    story.ask('GET', '/cart/', { token }, 200, cart([{ product: 5, pieces: 2 }]));
    expect(await story.judged()).toEqual([]);
    const n = story.ask('GET', '/cart/', { token }, 200, cart([]));
    expect(broken(await story.judged())).toEqual([['cart/contents', n]]);
  });

  it('finds two lines of one product, and more pieces than a line may have', async () => {
    const n = story.ask(
      'GET',
      '/cart/',
      { token },
      200,
      cart([
        { product: 5, pieces: 1 },
        { product: 5, pieces: 1000 },
      ]),
    );
    const rules = (await story.judged()).filter(({ entry }) => entry === n).map(({ rule }) => rule);
    expect(rules).toEqual(expect.arrayContaining(['cart/one-line', 'cart/quantity']));
  });

  it('finds a merge that came in twice by one key', async () => {
    const merge = (...answer: [number, Record<string, unknown>] | ['lost']): number =>
      story.ask('POST', '/cart/merge', { token, key: 'once', body: { lines: [] } }, ...answer);
    const merged = { cart: cart([{ product: 5, pieces: 2 }]), lines: [{ product_id: 5, quantity: 2, added: 2 }] };
    merge('lost');
    merge(200, merged);
    merge(200, merged);
    story.ask('GET', '/cart/', { token }, 200, cart([{ product: 5, pieces: 2 }]));
    expect(await story.judged()).toEqual([]);
    const n = story.ask('GET', '/cart/', { token }, 200, cart([{ product: 5, pieces: 4 }]));
    expect(broken(await story.judged())).toEqual([['cart/contents', n]]);
  });
});

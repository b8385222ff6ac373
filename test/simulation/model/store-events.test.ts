import { beforeEach, describe, expect, it } from '@jest/globals';
import { broken, order, Story } from '../story.js';

const erp = { client: 'erp', token: 'erp' };

let story: Story;
let events: Record<string, unknown>[];
beforeEach(() => {
  story = new Story();
  const placed = order(1, [{ product: 5, pieces: 1 }], { created_at: story.now });
  story.ask('POST', '/orders', {}, 201, placed);
  story.ask('GET', '/admin/orders', erp, 200, [{ ...placed, status: 'paid', paid_total: 10 }]);
  story.atEnd('/admin/orders', [{ ...placed, status: 'paid', paid_total: 10 }]);
  events = ['order.placed', 'order.paid'].map((type, at) => ({
    id: `e${at}`,
    type,
    created_at: story.now,
    data: { order: { id: 1 } },
  }));
});

function judged() {
  story.atEnd('/admin/events', { data: events, next: 'last', more: false });
  return story.judged();
}

function read(after: string | undefined, data: unknown[], next: string): number {
  return story.ask('GET', `/admin/events${after === undefined ? '' : `?after=${after}`}`, erp, 200, {
    data,
    next,
    more: true,
  });
}

describe('events of the shop', () => {
  it('are one for each change, and come once to each reader', async () => {
    story.ask('POST', '/auth/register', { body: { email: 'ada@example.com' } }, 201, { id: 'u' });
    story.mail('w', 'ada@example.com', 'Welcome', 'https://shop.example/account/confirm?token=1');
    events.push({ id: 'e2', type: 'customer.created', created_at: story.now, data: { customer: { id: 'u' } } });
    read(undefined, [events[0]], 'one');
    read('one', events.slice(1), 'three');
    read('three', [], 'three');
    expect(await judged()).toEqual([]);
  });

  it('finds a change without an event, and one with two', async () => {
    const placed = events.shift()!;
    let violations = await judged();
    expect(broken(violations)).toEqual([['store-events/complete', 0]]);
    expect(violations[0]!.message).toBe('Order 1 should have one event order.placed, and has 0');
    events = [placed, { ...placed, id: 'again' }];
    violations = await judged();
    expect(broken(violations)).toEqual([
      ['store-events/complete', 0],
      ['store-events/complete', 1],
    ]);
  });

  it('finds an event of what was rolled back', async () => {
    events.push({ id: 'e9', type: 'order.cancelled', created_at: story.now, data: { order: { id: 1 } } });
    events.push({ id: 'e10', type: 'order.placed', created_at: story.now, data: { order: { id: 7 } } });
    expect(broken(await judged())).toEqual([
      ['store-events/rolled-back', undefined],
      ['store-events/rolled-back', undefined],
    ]);
  });

  it('finds a gap, and an event that comes twice', async () => {
    events.push({ id: 'e2', type: 'review.created', created_at: story.now, data: { review: { id: 1 } } });
    read(undefined, [events[0]], 'one');
    const gap = read('one', [events[2]], 'three');
    const twice = read('one', [events[0]], 'again');
    expect(broken(await judged())).toEqual([
      ['store-events/no-gap', gap],
      ['store-events/no-gap', twice],
    ]);
  });

  it('finds one that was read and is gone, and one that changed', async () => {
    const gone = read(undefined, [{ id: 'x', type: 'stock.out', created_at: story.now, data: {} }], 'x');
    const changed = read(undefined, [{ ...events[0], data: { order: { id: 2 } } }], 'one');
    expect(broken(await judged())).toEqual([
      ['store-events/rolled-back', gone],
      ['store-events/unchanged', changed],
    ]);
  });
});

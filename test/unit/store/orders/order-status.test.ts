import { describe, expect, it } from '@jest/globals';
import { mayBecome, nextStatuses, type OrderStatus, orderStatuses } from '../../../../src/store/orders/order-status.js';

/** Every way there is: all others are closed. */
const ways: Record<OrderStatus, OrderStatus[]> = {
  pending: ['paid', 'processing', 'shipped', 'delivered', 'completed', 'cancelled'],
  paid: ['processing', 'shipped', 'delivered', 'completed', 'cancelled', 'refunded'],
  processing: ['shipped', 'delivered', 'completed', 'cancelled', 'refunded'],
  shipped: ['delivered', 'completed', 'refunded'],
  delivered: ['completed', 'refunded'],
  completed: ['refunded'],
  cancelled: [],
  refunded: [],
};
const pairs = orderStatuses.flatMap((from) => orderStatuses.map((to) => [from, to] as const));

describe('mayBecome', () => {
  it.each(pairs)('knows whether %s may become %s', (from, to) => {
    expect(mayBecome(from, to)).toBe(ways[from].includes(to));
  });
});

describe('nextStatuses', () => {
  it.each(orderStatuses)('names all that %s may become', (from) => {
    expect(nextStatuses(from)).toEqual(ways[from]);
  });
});

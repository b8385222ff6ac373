import { describe, expect, it } from '@jest/globals';
import {
  arrivedSteps,
  isSettled,
  knownStatus,
  mayBecome,
  nextStatuses,
  type OrderStatus,
  orderStatuses,
  paidStatuses,
  reachedWith,
  settledStatuses,
  wasShipped,
} from '../../../../src/store/orders/order-status.js';

/** Every transition between the statuses that the service knows: all others are forbidden. */
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
/** An order that reached its status by this path; as nodes of an older version leave it, without `reached`. */
const at = (status: string) => ({ status, reached: 'pending' }) as const;

describe('mayBecome', () => {
  it.each(pairs)('knows whether %s may become %s', (from, to) => {
    expect(mayBecome(at(from), to)).toBe(ways[from].includes(to));
  });

  it.each(orderStatuses)('lets %s become a custom status, unless it is final', (from) => {
    expect(mayBecome(at(from), 'on hold')).toBe(!['cancelled', 'refunded'].includes(from));
  });

  it.each(orderStatuses)('lets a custom status become %s', (to) => {
    expect(mayBecome(at('on hold'), to)).toBe(true);
  });

  it('does not let a shipped order be cancelled, whatever statuses came between', () => {
    expect(mayBecome({ status: 'on hold', reached: 'shipped' }, 'cancelled')).toBe(false);
    expect(mayBecome({ status: 'pending', reached: 'delivered' }, 'cancelled')).toBe(false);
    expect(mayBecome({ status: 'on hold', reached: 'processing' }, 'cancelled')).toBe(true);
  });
});

describe('nextStatuses', () => {
  it.each(orderStatuses)('lists everything that %s may become', (from) => {
    expect(nextStatuses(at(from))).toEqual(ways[from]);
  });
});

describe('reachedWith', () => {
  it('never goes back', () => {
    expect(reachedWith({ status: 'on hold', reached: 'shipped' }, 'paid')).toBe('shipped');
    expect(reachedWith({ status: 'paid', reached: 'pending' }, 'on hold')).toBe('paid');
    expect(reachedWith({ status: 'paid', reached: 'paid' }, 'cancelled')).toBe('paid');
    expect(reachedWith({ status: 'pending', reached: 'pending' }, 'delivered')).toBe('delivered');
  });
});

describe('wasShipped', () => {
  it('considers the status too, which is all that a node of an older version writes', () => {
    expect(orderStatuses.filter((status) => wasShipped(at(status)))).toEqual(['shipped', 'delivered', 'completed']);
    expect(wasShipped({ status: 'on hold', reached: 'shipped' })).toBe(true);
  });
});

describe('knownStatus', () => {
  it.each([
    ['PAID', 'paid'],
    [' Shipped ', 'shipped'],
    ['canceled', 'cancelled'],
    ['Canceled', 'cancelled'],
    ['CANCELLED', 'cancelled'],
    ['on hold', null],
    ['constructor', null],
    ['', null],
  ])('reads "%s" as %s', (word, status) => {
    expect(knownStatus(word)).toBe(status);
  });
});

describe('The groups of statuses', () => {
  it('are those of paid, settled and arrived orders', () => {
    expect(paidStatuses).toEqual(['paid', 'processing', 'shipped', 'delivered', 'completed']);
    expect(settledStatuses).toEqual(['delivered', 'completed', 'cancelled', 'refunded']);
    expect(arrivedSteps).toEqual(['delivered', 'completed']);
  });
});

describe('isSettled', () => {
  it.each(orderStatuses)('goes by the status itself where that is %s', (status) => {
    const isOver = ['delivered', 'completed', 'cancelled', 'refunded'].includes(status);
    expect(isSettled({ status, reached: isOver ? 'pending' : 'delivered' })).toBe(isOver);
  });

  it('goes by what a custom status was reached with', () => {
    expect(isSettled({ status: 'on hold', reached: 'shipped' })).toBe(false);
    expect(isSettled({ status: 'on hold', reached: 'delivered' })).toBe(true);
    expect(isSettled({ status: 'on hold', reached: 'completed' })).toBe(true);
  });
});

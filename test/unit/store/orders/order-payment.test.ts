import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dueOf, fromCents, heldOf, toCents } from '../../../../src/store/orders/order-payment.js';

const cents = fc.integer({ min: 0, max: 10_000_000 });

describe('toCents', () => {
  it.each([
    [0, 0],
    [0.01, 1],
    [0.29, 29],
    [1.15, 115],
    [8.2, 820],
    [19.999, 2000],
    [19.991, 1999],
  ])('makes %d to %d', (amount, expected) => {
    expect(toCents(amount)).toBe(expected);
  });

  it('is undone by fromCents', () => {
    fc.assert(fc.property(cents, (count) => toCents(fromCents(count)) === count));
    expect(fromCents(1_234)).toBe(12.34);
  });
});

describe('heldOf', () => {
  it('is what came less what went back, to the cent', () => {
    expect(heldOf({ paidTotal: 0.3, refundedTotal: 0.1 })).toBe(0.2);
    fc.assert(
      fc.property(cents, cents, (paid, refunded) => {
        const order = { paidTotal: fromCents(paid), refundedTotal: fromCents(refunded) };
        expect(heldOf(order)).toBe(fromCents(paid - refunded));
      }),
    );
  });
});

describe('dueOf', () => {
  const order = (totalPrice: number, paidTotal: number, refundedTotal: number) =>
    dueOf({ totalPrice, paidTotal, refundedTotal });

  it('is the price less what is held', () => {
    expect(order(10, 0, 0)).toBe(10);
    expect(order(10, 9.99, 0)).toBe(0.01);
    expect(order(10, 10, 2.5)).toBe(2.5);
  });

  it('is never below 0', () => {
    expect(order(10, 10, 0)).toBe(0);
    expect(order(10, 12, 0)).toBe(0);
  });
});

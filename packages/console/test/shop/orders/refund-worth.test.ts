import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { worthOf } from '../../../src/shop/orders/refund-worth.js';

const line = (price: number, quantity: number, refunded: number, asked: number) => ({
  price,
  quantity,
  refunded,
  asked,
});

describe('worthOf', () => {
  it('is the price of the pieces where nothing was discounted', () => {
    expect(worthOf([line(49.9, 2, 0, 1), line(5, 3, 1, 2)], 0)).toBe(59.9);
  });

  it('is their part of the price after the discount', () => {
    expect(worthOf([line(100, 1, 0, 1), line(100, 1, 0, 0)], 20)).toBe(90);
    expect(worthOf([line(0.01, 3, 0, 1)], 0.01)).toBe(0.01);
    expect(worthOf([line(0, 1, 0, 1)], 0)).toBe(0);
  });

  it('adds up to what the goods cost, in whatever parts', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 });
    const some = fc.array(fc.tuple(cents, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(some, fc.integer({ min: 0, max: 100 }), (lines, percent) => {
        const goods = lines.reduce((sum, [price, quantity]) => sum + price * quantity, 0);
        const discount = Math.floor((goods * percent) / 100);
        const parts = lines.map((_, at) =>
          worthOf(
            lines.map(([price, quantity], other) =>
              line(price / 100, quantity, other < at ? quantity : 0, other === at ? quantity : 0),
            ),
            discount / 100,
          ),
        );
        const cost = parts.reduce((sum, part) => sum + Math.round(part * 100), 0);
        expect(cost).toBe(goods === 0 ? 0 : goods - discount);
      }),
    );
  });
});

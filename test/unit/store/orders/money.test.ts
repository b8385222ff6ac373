import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { percentOf, toAmount, toCents, totalOf } from '../../../../src/store/orders/money.js';

const maxPriceCents = 999_999_999;
const maxShippingCents = 1_000_000;
const line = fc.record({
  price_cents: fc.integer({ min: 0, max: maxPriceCents }),
  quantity: fc.integer({ min: 1, max: 999 }),
});
const cart = fc.array(line, { minLength: 1, maxLength: 500 });
const percent = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100);
const shipping = fc.integer({ min: 0, max: maxShippingCents });
/** The total of the largest possible cart. */
const maxTotalCents = maxPriceCents * 999 * 500 + maxShippingCents;

function exactGoods(lines: { price_cents: number; quantity: number }[]): bigint {
  return lines.reduce((sum, { price_cents, quantity }) => sum + BigInt(price_cents) * BigInt(quantity), 0n);
}

describe('totalOf', () => {
  it('is goods less discount plus shipping, to the cent', () => {
    fc.assert(
      fc.property(cart, percent, shipping, (lines, discountPercent, shippingCents) => {
        const { goodsCents, discountCents, totalCents } = totalOf(lines, discountPercent, shippingCents);
        expect(BigInt(goodsCents)).toBe(exactGoods(lines));
        expect(totalCents).toBe(goodsCents - discountCents + shippingCents);
        expect(Number.isSafeInteger(totalCents)).toBe(true);
      }),
    );
  });

  it('is never below the shipping, nor above goods and shipping', () => {
    fc.assert(
      fc.property(cart, percent, shipping, (lines, discountPercent, shippingCents) => {
        const { goodsCents, totalCents } = totalOf(lines, discountPercent, shippingCents);
        expect(totalCents).toBeGreaterThanOrEqual(shippingCents);
        expect(totalCents).toBeLessThanOrEqual(goodsCents + shippingCents);
      }),
    );
  });

  it('deducts nothing for 0 percent and all goods for 100', () => {
    fc.assert(
      fc.property(cart, shipping, (lines, shippingCents) => {
        expect(totalOf(lines, 0, shippingCents).discountCents).toBe(0);
        expect(totalOf(lines, 100, shippingCents).totalCents).toBe(shippingCents);
      }),
    );
  });

  it('does not depend on the order of lines', () => {
    fc.assert(
      fc.property(cart, percent, shipping, (lines, discountPercent, shippingCents) => {
        const backwards = lines.toReversed();
        expect(totalOf(backwards, discountPercent, shippingCents)).toEqual(
          totalOf(lines, discountPercent, shippingCents),
        );
      }),
    );
  });

  it('rounds the discount once, not line by line', () => {
    const lines = [
      { price_cents: 5, quantity: 1 },
      { price_cents: 5, quantity: 1 },
    ];
    expect(totalOf(lines, 10, 0)).toEqual({ goodsCents: 10, discountCents: 1, totalCents: 9 });
  });
});

describe('percentOf', () => {
  it('is within half a cent of the exact share, half a cent rounded up', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxTotalCents }), percent, (cents, share) => {
        const exact = BigInt(cents) * BigInt(Math.round(share * 100));
        const rest = exact - BigInt(percentOf(cents, share)) * 10_000n;
        expect(rest >= -5_000n && rest < 5_000n).toBe(true);
      }),
    );
  });

  it.each([
    [5, 10, 1],
    [4, 10, 0],
    [1_000, 0.05, 1],
    [999, 0.05, 0],
    [199, 50, 100],
    [1, 100, 1],
    [4_990, 33.33, 1_663],
  ])('of %d cents at %d percent is %d', (cents, share, expected) => {
    expect(percentOf(cents, share)).toBe(expected);
  });
});

describe('toAmount', () => {
  it('writes cents with at most two decimals, and toCents reads them back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: maxTotalCents }), (cents) => {
        const amount = toAmount(cents);
        expect(JSON.stringify(amount)).toMatch(/^\d+(\.\d{1,2})?$/);
        expect(toCents(amount)).toBe(cents);
      }),
    );
  });

  it.each([
    [0, '0'],
    [1, '0.01'],
    [10, '0.1'],
    [5_990, '59.9'],
    [499_499_999_500_500, '4994999995005'],
    [499_499_999_500_501, '4994999995005.01'],
  ])('writes %d cents as %s', (cents, written) => {
    expect(JSON.stringify(toAmount(cents))).toBe(written);
  });
});

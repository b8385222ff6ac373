import { describe, expect, it } from '@jest/globals';
import { fromStripeAmount, toStripeAmount } from '../../../../src/store/payments/stripe-amount.js';

const whole = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const thousandths = 'BHD JOD KWD OMR TND'.split(' ');

describe('Amounts of Stripe', () => {
  it.each([...whole.map((code) => [code, 1]), ...thousandths.map((code) => [code, 1_000]), ['EUR', 100], ['USD', 100]])(
    'count %s in %d parts',
    (code, units) => {
      expect(toStripeAmount(12, String(code))).toBe(12 * Number(units));
      expect(toStripeAmount(12, String(code).toLowerCase())).toBe(12 * Number(units));
      expect(fromStripeAmount(12 * Number(units), String(code).toLowerCase())).toBe(12);
    },
  );

  it('are whole, whatever floating point makes of them', () => {
    expect(toStripeAmount(8.2, 'eur')).toBe(820);
    expect(toStripeAmount(1.15, 'eur')).toBe(115);
    expect(toStripeAmount(4.35, 'eur')).toBe(435);
    expect(fromStripeAmount(435, 'eur')).toBe(4.35);
  });
});

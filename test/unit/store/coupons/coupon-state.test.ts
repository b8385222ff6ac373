import { describe, expect, it } from '@jest/globals';
import { couponRefusal, couponResponse } from '../../../../src/store/coupons/coupon-state.js';

const coupon = (fault: 'inactive' | 'expired' | 'used_up' | null) => ({
  id: 1,
  code: 'SPRING',
  discount_percent: 15,
  fault,
});

describe('couponResponse', () => {
  it('gives what a usable coupon takes off', () => {
    expect(couponResponse('spring', coupon(null))).toEqual({
      code: 'SPRING',
      discount_percent: 15,
      is_valid: true,
      message: 'The coupon takes 15% off the goods',
    });
  });

  it('says that there is none', () => {
    expect(couponResponse('NONE', null)).toEqual({
      code: 'NONE',
      discount_percent: 0,
      is_valid: false,
      message: 'There is no coupon with this code',
    });
  });

  it.each([
    ['inactive', 'is not active'],
    ['expired', 'has expired'],
    ['used_up', 'has been used up'],
  ] as const)('says why one that is %s gives nothing', (fault, words) => {
    expect(couponResponse('SPRING', coupon(fault))).toMatchObject({
      is_valid: false,
      message: `The coupon SPRING ${words}`,
    });
    expect(couponRefusal(coupon(fault)).message).toContain(`The coupon SPRING ${words}: order without it`);
  });
});

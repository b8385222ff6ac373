import { RuleBroken } from '../../platform/errors/errors.js';

const faults = { inactive: 'is not active', expired: 'has expired', used_up: 'has been used up' };

/** A coupon, and what makes it unusable now, by the clock of the database. */
export interface CouponState {
  id: number;
  code: string;
  discount_percent: number;
  fault: keyof typeof faults | null;
}

/** The reason why a coupon is unusable now, as a sentence; null for a usable one. */
export function couponFault(coupon: CouponState | null): string | null {
  if (coupon === null) return 'There is no coupon with this code';
  return coupon.fault && `The coupon ${coupon.code} ${faults[coupon.fault]}`;
}

/** Why an order cannot have this coupon. */
export function couponRefusal(coupon: CouponState | null): RuleBroken {
  return new RuleBroken(`${couponFault(coupon)}: order without it, or with another one`, 'coupon_unusable');
}

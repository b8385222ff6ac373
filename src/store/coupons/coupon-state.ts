import { RuleBroken } from '../../platform/errors/errors.js';
import type { CouponResponse } from './coupons.dto.js';

const faults = { inactive: 'is not active', expired: 'has expired', used_up: 'has been used up' };

/** A coupon, and what makes it unusable now, by the clock of the database. */
export interface CouponState {
  id: number;
  code: string;
  discount_percent: number;
  fault: keyof typeof faults | null;
}

/** The reason why a coupon is unusable now, as a sentence; null for a usable one. */
function couponFault(coupon: CouponState | null): string | null {
  if (coupon === null) return 'There is no coupon with this code';
  return coupon.fault && `The coupon ${coupon.code} ${faults[coupon.fault]}`;
}

/** What a code gives, or why it gives nothing, for whoever asks. */
export function couponResponse(code: string, coupon: CouponState | null): CouponResponse {
  const fault = couponFault(coupon);
  const percent = coupon?.discount_percent ?? 0;
  const message = fault ?? `The coupon takes ${percent}% off the goods`;
  return { code: coupon?.code ?? code, discount_percent: percent, is_valid: fault === null, message };
}

/** Why an order cannot have this coupon. */
export function couponRefusal(coupon: CouponState | null): RuleBroken {
  return new RuleBroken(`${couponFault(coupon)}: order without it, or with another one`, 'coupon_unusable');
}

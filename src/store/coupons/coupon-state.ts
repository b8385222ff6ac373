/** Everything that decides whether a coupon is usable now, by the clock of the database. */
export interface CouponState {
  id: number;
  code: string;
  discount_percent: number;
  is_active: boolean;
  is_expired: boolean;
  is_exhausted: boolean;
}

/** The reason why a coupon is unusable now, as a sentence; null for a usable one. */
export function couponFault(coupon: CouponState | null): string | null {
  if (coupon === null) return 'There is no coupon with this code';
  if (!coupon.is_active) return `The coupon ${coupon.code} is not active`;
  if (coupon.is_expired) return `The coupon ${coupon.code} has expired`;
  if (coupon.is_exhausted) return `The coupon ${coupon.code} has been used up`;
  return null;
}

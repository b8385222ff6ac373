import type { CouponEntity } from './coupon.entity.js';
import type { CouponInfo, CouponUpdate } from './coupons.shapes.js';

export function toCouponInfo(coupon: CouponEntity): CouponInfo {
  return {
    id: coupon.id,
    code: coupon.code,
    discount_percent: coupon.discountPercent,
    max_uses: coupon.maxUses,
    current_uses: coupon.currentUses,
    expires_at: coupon.expiresAt,
    is_active: coupon.isActive,
    is_public: coupon.isPublic,
  };
}

/** A date-time of the API as an instant: in UTC where it names no offset. */
function toInstant(text: string): Date {
  const written = text.toUpperCase().replace(' ', 'T');
  return new Date(/(Z|[+-]\d{2}:?\d{2})$/.test(written) ? written : `${written}Z`);
}

/** The columns that are given, by the entity's names. */
export function toCouponColumns(given: CouponUpdate): Partial<CouponEntity> {
  const columns: Partial<CouponEntity> = {};
  if (given.code !== undefined) columns.code = given.code.toUpperCase();
  if (given.discount_percent !== undefined) columns.discountPercent = given.discount_percent;
  if (given.max_uses !== undefined) columns.maxUses = given.max_uses;
  if (given.expires_at !== undefined)
    columns.expiresAt = given.expires_at === null ? null : toInstant(given.expires_at);
  if (given.is_active !== undefined) columns.isActive = given.is_active;
  if (given.is_public !== undefined) columns.isPublic = given.is_public;
  return columns;
}

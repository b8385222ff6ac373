import type { CouponEntity } from './coupon.entity.js';
import type { CouponInfo, CouponUpdate } from './coupons.dto.js';

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

/** The given columns, by the entity's names. */
export function toCouponColumns(given: CouponUpdate): Partial<CouponEntity> {
  const columns: Partial<CouponEntity> = {};
  if (given.code !== undefined) columns.code = given.code.toUpperCase();
  if (given.discount_percent !== undefined) columns.discountPercent = given.discount_percent;
  if (given.max_uses !== undefined) columns.maxUses = given.max_uses;
  if (given.expires_at !== undefined) columns.expiresAt = given.expires_at === null ? null : new Date(given.expires_at);
  if (given.is_active !== undefined) columns.isActive = given.is_active;
  if (given.is_public !== undefined) columns.isPublic = given.is_public;
  return columns;
}

import type { CouponInfo } from '@store-service/sdk';
import { api } from '../../api/service.js';
import { asExactTime } from '../../parts/format.js';
import { askVersion, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';
import { texts } from '../../texts/texts.js';

const fields: readonly EditedField<CouponInfo>[] = [
  { key: 'code', label: texts.common.code },
  { key: 'discount_percent', label: texts.coupons.discount, text: (percent) => `${percent} %` },
  { key: 'max_uses', label: texts.coupons.usesAtMost },
  { key: 'expires_at', label: texts.common.expires, text: (time) => asExactTime(String(time)) },
  { key: 'is_active', label: texts.coupons.active },
  { key: 'is_public', label: texts.coupons.listed },
];

export const readCoupon = (id: number): Promise<Version<CouponInfo>> =>
  askVersion(api.adminCoupons.get({ path: { coupon_id: id } }));

/** Saves changes to a coupon over the version that was read, whether or not it was used meanwhile. */
export function saveCoupon(before: Version<CouponInfo>, changes: Partial<CouponInfo>) {
  const { id, code } = before.value;
  return saveEdit({
    name: code,
    fields,
    before,
    changes,
    read: () => readCoupon(id),
    write: (etag) =>
      askVersion(api.adminCoupons.update({ path: { coupon_id: id }, body: changes, headers: { 'If-Match': etag } })),
  });
}

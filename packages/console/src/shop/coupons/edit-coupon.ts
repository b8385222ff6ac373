import type { CouponInfo } from '@store-service/sdk';
import { api } from '../../api/service.js';
import { asExactTime } from '../../parts/format.js';
import { askVersion, type EditedField, saveEdit, type Version } from '../../parts/versions.svelte.js';

const fields: readonly EditedField<CouponInfo>[] = [
  { key: 'code', label: 'Code' },
  { key: 'discount_percent', label: 'Discount', text: (percent) => `${percent} %` },
  { key: 'max_uses', label: 'Uses at most' },
  { key: 'expires_at', label: 'Expires', text: (time) => asExactTime(String(time)) },
  { key: 'is_active', label: 'Active' },
  { key: 'is_public', label: 'Listed' },
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

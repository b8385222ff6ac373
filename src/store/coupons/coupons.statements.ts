import { statement } from '../../database/database.js';

/** The columns of `coupons` that make a `CouponState`. */
export const couponStateColumns = `id, code, discount_percent,
  CASE WHEN NOT is_active THEN 'inactive'
       WHEN expires_at <= now() THEN 'expired'
       WHEN current_uses >= max_uses THEN 'used_up' END AS fault`;

const infoColumns = 'id, code, discount_percent, max_uses, current_uses, expires_at, is_active, is_public';

// Unspecified: how many coupons the public list shows; the newest thousand of those that can be used.
const mostShown = 1_000;

export const available = statement(
  'coupons.available',
  `SELECT ${infoColumns}
     FROM coupons
    WHERE is_active AND is_public AND (expires_at IS NULL OR expires_at > now()) AND current_uses < max_uses
    ORDER BY created_at DESC, id DESC
    LIMIT ${mostShown}`,
);

/** The coupons whose codes match the pattern $1, if there is one. */
const found = 'coupons WHERE ($1::text IS NULL OR code ILIKE $1)';

export const page = statement(
  'coupons.page',
  `SELECT ${infoColumns} FROM ${found} ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT $3`,
);

export const count = statement('coupons.count', `SELECT count(*)::integer AS count FROM ${found}`);

export const stateByCode = statement(
  'coupons.state-by-code',
  `SELECT ${couponStateColumns} FROM coupons WHERE upper(code) = upper($1)`,
);

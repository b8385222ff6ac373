import { shopLog } from '../../platform/audit/audit-log.js';
import { exportSection } from '../../platform/account-export/export-section.statements.js';

/** Rows of a query as a JSON array. */
const listOf = (query: string): string =>
  `(SELECT coalesce(json_agg(row_to_json(line)), '[]') FROM (${query}) AS line)`;

const items = listOf(`
  SELECT product_id, product_name AS name, quantity, price FROM order_items WHERE order_id = o.id ORDER BY id`);
const payments = listOf(`
  SELECT provider, reference, method, amount, created_at FROM payments WHERE order_id = o.id ORDER BY created_at, id`);
const refunds = listOf(`
  SELECT amount, reason, status, created_at FROM refunds WHERE order_id = o.id ORDER BY created_at, id`);
const cartItems = listOf(`
  SELECT product_id, name, quantity FROM cart_items JOIN products ON products.id = product_id
   WHERE cart_id = c.id ORDER BY cart_items.id`);

/** The address and device of somebody else are theirs. */
const ownPlace = (column: string): string =>
  `CASE WHEN actor_id IS NULL OR actor_id = $1 THEN ${column} END AS ${column}`;

/** What the shop holds about an account, without secrets and their digests. */
export const shopSections = [
  exportSection('profile', {
    columns: ['users.id'],
    rows: 'users u WHERE id = $1 AND deleted_at IS NULL',
    at: 'u.created_at',
    id: 'u.id',
    fields: `u.id, username, email, email_verified, former_email, first_name, last_name, avatar_url, bio, role, account_credit,
             referral_count, role_source, totp_enabled, suspended_at, u.created_at`,
  }),
  exportSection('addresses', {
    columns: ['user_addresses.user_id'],
    rows: 'user_addresses WHERE user_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, first_name, last_name, address, city, zip_code, country, phone, is_default, created_at',
  }),
  exportSection('orders', {
    columns: ['orders.user_id'],
    rows: 'orders o WHERE user_id = $1',
    at: 'o.created_at',
    id: 'o.id',
    ids: 'integer',
    fields: `o.id, status, total_price, discount, coupon_code, paid_total, refunded_total, shipping_first_name, shipping_last_name,
             shipping_address, shipping_city, shipping_zip, shipping_country, shipping_phone, shipping_method, shipping_cost,
             estimated_delivery, carrier, tracking_number, tracking_url, o.created_at,
             ${items} AS items, ${payments} AS payments, ${refunds} AS refunds`,
  }),
  exportSection('cart', {
    columns: ['carts.user_id'],
    rows: 'carts c WHERE user_id = $1',
    at: 'c.created_at',
    id: 'c.id',
    ids: 'integer',
    fields: `c.created_at, c.updated_at, ${cartItems} AS items`,
  }),
  exportSection('reviews', {
    columns: ['reviews.user_id'],
    rows: 'reviews WHERE user_id = $1',
    at: 'created_at',
    id: 'id',
    ids: 'integer',
    fields: 'id, product_id, rating, title, content, image_url, created_at, answer, answered_at',
  }),
  exportSection('testimonials', {
    columns: ['testimonials.user_id'],
    rows: 'testimonials WHERE user_id = $1',
    at: 'created_at',
    id: 'id',
    ids: 'integer',
    fields:
      'id, content, rating, guest_name, guest_role, guest_avatar_url, is_featured, created_at, answer, answered_at',
  }),
  exportSection('uploads', {
    columns: ['uploads.user_id'],
    rows: 'uploads WHERE user_id = $1',
    at: 'created_at',
    id: 'filename',
    ids: 'text',
    fields: 'kind, filename, size, created_at',
  }),
  exportSection('sessions', {
    columns: ['sessions.user_id'],
    rows: 'sessions WHERE user_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, device, address, created_at, last_used_at, expires_at, ended_at',
  }),
  exportSection('known_devices', {
    columns: ['known_devices.user_id'],
    rows: 'known_devices WHERE user_id = $1',
    at: 'seen_at',
    id: 'digest',
    ids: 'text',
    fields: 'seen_at',
  }),
  exportSection('provider_links', {
    columns: ['oidc_identities.user_id'],
    rows: 'oidc_identities WHERE user_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, issuer, subject, name, created_at, last_used_at',
  }),
  exportSection('begun_provider_links', {
    columns: ['oidc_logins.user_id'],
    rows: 'oidc_logins WHERE user_id = $1',
    at: 'expires_at',
    id: 'token_hash',
    ids: 'text',
    fields: 'purpose, expires_at',
  }),
  exportSection('mailed_links', {
    columns: ['mail_tokens.user_id'],
    rows: 'mail_tokens WHERE user_id = $1',
    at: 'expires_at',
    id: 'token_hash',
    ids: 'text',
    fields: 'purpose, email, expires_at',
  }),
  exportSection('shop_keys', {
    columns: ['shop_keys.created_by'],
    rows: 'shop_keys WHERE created_by = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, name, scopes, prefix, created_at, expires_at, last_used_at, revoked_at',
  }),
  exportSection('shop_views', {
    columns: ['shop_views.owner_id'],
    rows: 'shop_views WHERE owner_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'id, list, name, shared, query, created_at',
  }),
  exportSection('order_notes', {
    columns: ['order_notes.user_id'],
    rows: 'order_notes WHERE user_id = $1',
    at: 'created_at',
    id: 'id',
    fields: 'order_id, text, created_at',
  }),
  exportSection('security_events', {
    columns: ['audit_entries.subject_id'],
    rows: `audit_entries WHERE log_id = '${shopLog}' AND subject_id = ($1::uuid)::text AND subject_type = 'user'`,
    at: 'created_at',
    id: 'id',
    fields: `action, actor_kind, changes, ${ownPlace('address')}, ${ownPlace('device')}, created_at`,
  }),
  exportSection('actions', {
    columns: ['audit_entries.actor_id'],
    rows: `audit_entries WHERE log_id = '${shopLog}' AND actor_id = $1`,
    at: 'created_at',
    id: 'id',
    fields: 'action, subject_type, subject_id, address, device, created_at',
  }),
];

import type { ShopAuditEntry } from '@store-service/sdk';
import { asWords } from '../../parts/words.js';
import { hrefOf } from '../../router.svelte.js';

type Action = ShopAuditEntry['action'];
export type SubjectType = ShopAuditEntry['subject']['type'];

/** The actions that the shop's log has, in words that continue the name of who did it. */
export const actions = {
  'shop.updated': 'changed the settings',
  'queue.retried': 'tried given-up jobs anew',
  'queue.dropped': 'removed given-up jobs',
  'product.created': 'added the product',
  'product.updated': 'changed the product',
  'product.deleted': 'deleted the product',
  'coupon.created': 'made the coupon',
  'coupon.updated': 'changed the coupon',
  'coupon.deleted': 'deleted the coupon',
  'order.status_changed': 'changed the status of order',
  'order.payment_recorded': 'recorded a payment for order',
  'order.payment_failed': 'had a failed payment for order',
  'order.refund_requested': 'asked for a refund of order',
  'order.refunded': 'refunded order',
  'order.refund_failed': 'had a failed refund of order',
  'order.tracking_changed': 'changed the tracking of order',
  'order.note_added': 'added a note to order',
  'order.mail_sent': 'sent a mail about order',
  'testimonial.updated': 'changed the testimonial of',
  'testimonial.deleted': 'deleted the testimonial of',
  'review.deleted': 'removed a review of',
  'user.role_changed': 'changed the role of',
  'user.protection_changed': 'changed the protection of',
  'user.suspension_changed': 'changed the suspension of',
  'user.deleted': 'deleted the account',
  'user.signed_in': 'signed in as',
  'user.reauthenticated': 'proved to be',
  'user.login_failed': 'failed to sign in as',
  'user.login_code_failed': 'gave a wrong code for',
  'user.login_refused': 'was refused to sign in as',
  'user.password_failed': 'gave a wrong password for',
  'user.code_failed': 'gave a wrong code for',
  'user.attempts_blocked': 'was stopped after too many attempts at',
  'user.signed_out': 'signed out',
  'user.session_ended': 'ended a session of',
  'user.sessions_ended': 'ended all sessions of',
  'user.refresh_token_reused': 'used an old token of',
  'user.email_changed': 'changed the e-mail of',
  'user.email_confirmed': 'confirmed the e-mail of',
  'user.password_changed': 'changed the password of',
  'user.password_reset': 'reset the password of',
  'user.email_restored': 'restored the e-mail of',
  'user.totp_enabled': 'turned two-factor on for',
  'user.totp_disabled': 'turned two-factor off for',
  'user.totp_reset': 'reset the two-factor of',
  'user.recovery_codes_renewed': 'renewed the recovery codes of',
  'user.recovery_code_used': 'used a recovery code of',
  'webhook.created': 'made the webhook',
  'webhook.updated': 'changed the webhook',
  'webhook.disabled': 'disabled the webhook',
  'webhook.secret_rotated': 'replaced the secret of the webhook',
  'webhook.delivery_replayed': 'replayed a delivery of the webhook',
  'webhook.deliveries_replayed': 'replayed deliveries of the webhook',
  'webhook.deleted': 'deleted the webhook',
  'api_key.created': 'made the key',
  'api_key.revoked': 'revoked the key',
} as const satisfies Partial<Record<Action, string>>;

export const didWhat = (action: Action): string =>
  (actions as Partial<Record<Action, string>>)[action] ?? asWords(action.replace('.', '_')).toLowerCase();

/** What the shop's log is about. */
export const subjectTypes = [
  'order',
  'product',
  'coupon',
  'user',
  'review',
  'testimonial',
  'webhook',
  'api_key',
  'shop',
] as const satisfies readonly SubjectType[];

/** Who did it, if it was no account that is still there. */
export const nobody: Record<ShopAuditEntry['actor']['kind'], string> = {
  user: 'An account that is gone',
  api_key: 'A key',
  system: 'The service',
  anonymous: 'Somebody without an account',
};

/** Where the thing is shown; nothing for what is gone or has no place of its own. */
export function hrefOfSubject({ action, subject: { type, id } }: ShopAuditEntry): string | null {
  if (action.endsWith('.deleted') || action === 'review.deleted') return null;
  switch (type) {
    case 'order':
      return hrefOf(`shop/orders/${id}`);
    case 'product':
      return hrefOf('shop/products', { product: id });
    case 'coupon':
      return hrefOf('shop/coupons', { coupon: id });
    case 'user':
      return hrefOf('shop/customers', { customer: id });
    case 'webhook':
      return hrefOf(`shop/settings/webhooks/${id}`);
    case 'api_key':
      return hrefOf('shop/settings/keys');
    case 'shop':
      return hrefOf('shop/settings');
    case 'testimonial':
      return hrefOf('shop/testimonials');
    default:
      return null;
  }
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Fields that hold an id, which says nothing to a reader. */
const ids = new Set(['session']);

/** The fields that changed, each as `Price: 49.9 → 39.9`. */
export function changeTexts(changes: ShopAuditEntry['changes']): string[] {
  const told = Object.entries(changes).filter(([field]) => !ids.has(field));
  return told.map(([field, change]) => {
    const name = asWords(field);
    if (typeof change !== 'object' || change === null) return `${name}: ${textOf(change)}`;
    const { from, to } = change as { from?: unknown; to?: unknown };
    if (from === undefined && to === undefined) return `${name} changed`;
    return from === undefined ? `${name}: ${textOf(to)}` : `${name}: ${textOf(from)} → ${textOf(to)}`;
  });
}

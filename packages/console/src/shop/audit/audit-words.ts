import type { ShopAuditEntry } from '@store-service/sdk';
import { amidWords, asWords } from '../../parts/words.js';
import { hrefOf } from '../../router.svelte.js';
import { texts } from '../../texts/texts.js';

type Action = ShopAuditEntry['action'];
export type SubjectType = ShopAuditEntry['subject']['type'];

/** The actions that the shop's log has, in words that continue the name of who did it. */
export const actions = {
  'shop.updated': texts.audit.changedTheSettings,
  'queue.retried': texts.audit.triedGivenUpJobsAnew,
  'queue.dropped': texts.audit.removedGivenUpJobs,
  'product.created': texts.audit.addedTheProduct,
  'product.updated': texts.audit.changedTheProduct,
  'product.deleted': texts.audit.deletedTheProduct,
  'coupon.created': texts.audit.madeTheCoupon,
  'coupon.updated': texts.audit.changedTheCoupon,
  'coupon.deleted': texts.audit.deletedTheCoupon,
  'order.status_changed': texts.audit.changedTheStatusOfOrder,
  'order.payment_recorded': texts.audit.recordedAPaymentForOrder,
  'order.payment_failed': texts.audit.hadAFailedPaymentFor,
  'order.refund_requested': texts.audit.askedForARefundOf,
  'order.refunded': texts.audit.refundedOrder,
  'order.refund_failed': texts.audit.hadAFailedRefundOf,
  'order.tracking_changed': texts.audit.changedTheTrackingOfOrder,
  'order.note_added': texts.audit.addedANoteToOrder,
  'order.mail_sent': texts.audit.sentAMailAboutOrder,
  'testimonial.updated': texts.audit.changedTheTestimonialOf,
  'testimonial.answered': texts.audit.answeredTheTestimonialOf,
  'testimonial.deleted': texts.audit.deletedTheTestimonialOf,
  'review.answered': texts.audit.answeredAReviewOf,
  'review.deleted': texts.audit.removedAReviewOf,
  'user.role_changed': texts.audit.changedTheRoleOf,
  'user.protection_changed': texts.audit.changedTheProtectionOf,
  'user.suspension_changed': texts.audit.changedTheSuspensionOf,
  'user.deleted': texts.audit.deletedTheAccount,
  'user.signed_in': texts.audit.signedInAs,
  'user.reauthenticated': texts.audit.provedToBe,
  'user.login_failed': texts.audit.failedToSignInAs,
  'user.login_code_failed': texts.audit.gaveAWrongCodeFor,
  'user.login_refused': texts.audit.wasRefusedToSignIn,
  'user.password_failed': texts.audit.gaveAWrongPasswordFor,
  'user.code_failed': texts.audit.gaveAWrongCodeFor,
  'user.attempts_blocked': texts.audit.wasStoppedAfterTooMany,
  'user.signed_out': texts.audit.signedOut,
  'user.session_ended': texts.audit.endedASessionOf,
  'user.sessions_ended': texts.audit.endedAllSessionsOf,
  'user.refresh_token_reused': texts.audit.usedAnOldTokenOf,
  'user.email_changed': texts.audit.changedTheEMailOf,
  'user.email_confirmed': texts.audit.confirmedTheEMailOf,
  'user.password_changed': texts.audit.changedThePasswordOf,
  'user.password_reset': texts.audit.resetThePasswordOf,
  'user.email_restored': texts.audit.restoredTheEMailOf,
  'user.totp_enabled': texts.audit.turnedTwoFactorOnFor,
  'user.totp_disabled': texts.audit.turnedTwoFactorOffFor,
  'user.totp_reset': texts.audit.resetTheTwoFactorOf,
  'user.recovery_codes_renewed': texts.audit.renewedTheRecoveryCodesOf,
  'user.recovery_code_used': texts.audit.usedARecoveryCodeOf,
  'webhook.created': texts.audit.madeTheWebhook,
  'webhook.updated': texts.audit.changedTheWebhook,
  'webhook.disabled': texts.audit.disabledTheWebhook,
  'webhook.secret_rotated': texts.audit.replacedTheSecretOfThe,
  'webhook.delivery_replayed': texts.audit.replayedADeliveryOfThe,
  'webhook.deliveries_replayed': texts.audit.replayedDeliveriesOfTheWebhook,
  'webhook.deleted': texts.audit.deletedTheWebhook,
  'view.created': texts.audit.savedTheView,
  'view.deleted': texts.audit.deletedTheView,
  'api_key.created': texts.audit.madeTheKey,
  'api_key.revoked': texts.audit.revokedTheKey,
} as const satisfies Partial<Record<Action, string>>;

export const didWhat = (action: Action): string =>
  (actions as Partial<Record<Action, string>>)[action] ?? amidWords(action.replace('.', '_'));

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
  'view',
  'shop',
] as const satisfies readonly SubjectType[];

/** Who did it, if it was no account that is still there. */
export const nobody: Record<ShopAuditEntry['actor']['kind'], string> = {
  user: texts.audit.anAccountThatIsGone,
  api_key: texts.audit.aKey,
  system: texts.common.theService,
  anonymous: texts.audit.somebodyWithoutAnAccount,
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
      return hrefOf('shop/testimonials', { testimonial: id });
    case 'review':
      return hrefOf('shop/reviews', { review: id });
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
    if (from === undefined && to === undefined) return texts.audit.changed(name);
    return from === undefined ? `${name}: ${textOf(to)}` : `${name}: ${textOf(from)} → ${textOf(to)}`;
  });
}

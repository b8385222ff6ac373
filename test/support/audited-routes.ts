import type { AuditAction } from '../../src/audit/audit-actions.js';

/**
 * What each writing route leaves in the audit log. A new route belongs here, or below with a reason; test/api/audit calls
 * each of these and looks.
 */
export const auditedRoutes: Record<string, readonly AuditAction[]> = {
  'DELETE /api/v1/admin/coupons/:coupon_id': ['coupon.deleted'],
  'DELETE /api/v1/admin/products/:product_id': ['product.deleted'],
  'DELETE /api/v1/admin/users/:user_uuid': ['user.deleted'],
  'DELETE /api/v1/reviews/:review_id': ['review.deleted'],
  'DELETE /api/v1/testimonials/:testimonial_id': ['testimonial.deleted'],
  'DELETE /api/v1/users/me/profile': ['user.deleted'],
  'POST /api/v1/admin/coupons': ['coupon.created'],
  'POST /api/v1/admin/products': ['product.created'],
  'POST /api/v1/orders/:order_id/cancel': ['order.status_changed'],
  'POST /api/v1/products/': ['product.created'],
  'PUT /api/v1/admin/coupons/:coupon_id': ['coupon.updated'],
  'PUT /api/v1/admin/orders/:order_id/status': ['order.status_changed'],
  'PUT /api/v1/admin/products/:product_id': ['product.updated'],
  'PUT /api/v1/admin/users/:user_uuid': ['user.role_changed', 'user.protection_changed'],
  'PUT /api/v1/products/:product_id': ['product.updated'],
  'PUT /api/v1/testimonials/:testimonial_id': ['testimonial.updated'],
};

const ownCart = "a customer's cart: nobody else writes it";
const ownContent = "a customer's own text, which says itself who wrote it and when";
const ownAccount = "a customer's own profile or pictures";
const changesNothing = 'it changes nothing';
const scannersRecord = 'scans and what they found are records themselves, by the thousand';
const dailyWork = 'daily work of members; what is lost, by a deletion, is audited';
const toCome = 'to come';

/** The writing routes that leave nothing in the audit log, each with the reason. */
export const unauditedRoutes: Record<string, string> = {
  'DELETE /api/v1/assets/:id': toCome,
  'DELETE /api/v1/cart/': ownCart,
  'DELETE /api/v1/cart/items/:item_id': ownCart,
  'DELETE /api/v1/integrations/:id': toCome,
  'DELETE /api/v1/locations/:id': toCome,
  'DELETE /api/v1/organizations/:organizationId/api-keys': toCome,
  'DELETE /api/v1/organizations/:organizationId/api-keys/:keyId': toCome,
  'DELETE /api/v1/organizations/:organizationId/invitations/:invitationId': toCome,
  'DELETE /api/v1/organizations/:organizationId/members/:userId': toCome,
  'DELETE /api/v1/organizations/:organizationId/members/me': toCome,
  'DELETE /api/v1/profiles/:id': toCome,
  'DELETE /api/v1/tags/:id': toCome,
  'DELETE /api/v1/uploads/:kind/:filename': ownAccount,
  'DELETE /api/v1/workflows/:id': toCome,
  'PATCH /api/v1/assets/:id': dailyWork,
  'PATCH /api/v1/integrations/:id': toCome,
  'PATCH /api/v1/issues/': 'each issue has its own activities, with who changed what',
  'PATCH /api/v1/issues/:id': 'each issue has its own activities, with who changed what',
  'PATCH /api/v1/locations/:id': dailyWork,
  'PATCH /api/v1/organizations/:organizationId': toCome,
  'PATCH /api/v1/organizations/:organizationId/members/:userId': toCome,
  'PATCH /api/v1/profiles/:id': dailyWork,
  'PATCH /api/v1/scans/:id': scannersRecord,
  'PATCH /api/v1/tags/:id': dailyWork,
  'PATCH /api/v1/workflows/:id': toCome,
  'POST /api/v1/assets': dailyWork,
  'POST /api/v1/auth/login': toCome,
  'POST /api/v1/auth/login/totp': toCome,
  'POST /api/v1/auth/password': toCome,
  'POST /api/v1/auth/register': 'an account says itself when it was made',
  'POST /api/v1/cart/add': ownCart,
  'POST /api/v1/deliveries/:id/replay': toCome,
  'POST /api/v1/integrations': toCome,
  'POST /api/v1/locations': dailyWork,
  'POST /api/v1/orders/': 'an order is a record itself',
  'POST /api/v1/orders/checkout': 'an order is a record itself',
  'POST /api/v1/organizations': toCome,
  'POST /api/v1/organizations/:organizationId/api-keys': toCome,
  'POST /api/v1/organizations/:organizationId/members': toCome,
  'POST /api/v1/profiles': dailyWork,
  'POST /api/v1/reviews/product/:product_id': ownContent,
  'POST /api/v1/scans/': scannersRecord,
  'POST /api/v1/scans/:id/cancel': scannersRecord,
  'POST /api/v1/scans/:id/events': scannersRecord,
  'POST /api/v1/scans/:id/issues': scannersRecord,
  'POST /api/v1/scans/import': scannersRecord,
  'POST /api/v1/tags': dailyWork,
  'POST /api/v1/testimonials/': ownContent,
  'POST /api/v1/totp/disable': toCome,
  'POST /api/v1/totp/enable': toCome,
  'POST /api/v1/totp/verify': changesNothing,
  'POST /api/v1/uploads/avatar': ownAccount,
  'POST /api/v1/uploads/general': ownAccount,
  'POST /api/v1/uploads/import-from-url': ownAccount,
  'POST /api/v1/uploads/product': 'a picture is seen nowhere until a product shows it, and that is audited',
  'POST /api/v1/users/me/invitations/:invitationId/accept': toCome,
  'POST /api/v1/users/me/invitations/:invitationId/decline': toCome,
  'POST /api/v1/workflows/': toCome,
  'POST /api/v1/workflows/:id/actions/:actionId/rotate-secret': toCome,
  'POST /api/v1/workflows/:id/deliveries/replay': toCome,
  'POST /api/v1/workflows/:id/preview': changesNothing,
  'POST /api/v1/workflows/:id/run': toCome,
  'POST /api/v1/workflows/:id/test': toCome,
  'PUT /api/v1/cart/items/:item_id': ownCart,
  'PUT /api/v1/users/me/profile': ownAccount,
};

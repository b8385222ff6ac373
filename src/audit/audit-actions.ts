/** Every action that the audit log tells of, with the type of what it is done to. */
export const auditActions = {
  'product.created': 'product',
  'product.updated': 'product',
  'product.deleted': 'product',
  'coupon.created': 'coupon',
  'coupon.updated': 'coupon',
  'coupon.deleted': 'coupon',
  'order.status_changed': 'order',
  'testimonial.updated': 'testimonial',
  'testimonial.deleted': 'testimonial',
  'review.deleted': 'review',
  'user.role_changed': 'user',
  'user.protection_changed': 'user',
  'user.deleted': 'user',
  'user.password_changed': 'user',
  'user.totp_enabled': 'user',
  'user.totp_disabled': 'user',
  'organization.created': 'organization',
  'organization.updated': 'organization',
  'api_key.created': 'api_key',
  'api_key.revoked': 'api_key',
  'integration.created': 'integration',
  'integration.updated': 'integration',
  'integration.deleted': 'integration',
  'workflow.created': 'workflow',
  'workflow.updated': 'workflow',
  'workflow.enabled': 'workflow',
  'workflow.disabled': 'workflow',
  'workflow.action_disabled': 'workflow',
  'workflow.secret_rotated': 'workflow',
  'workflow.run_requested': 'workflow',
  'workflow.deliveries_replayed': 'workflow',
  'workflow.deleted': 'workflow',
  'delivery.replayed': 'delivery',
  'profile.deleted': 'profile',
  'tag.deleted': 'tag',
  'location.deleted': 'location',
  'asset.deleted': 'asset',
} as const;

export type AuditAction = keyof typeof auditActions;
export type AuditSubjectType = (typeof auditActions)[AuditAction];

export const auditActionNames = Object.keys(auditActions) as AuditAction[];
export const auditSubjectTypes = [...new Set<AuditSubjectType>(Object.values(auditActions))];

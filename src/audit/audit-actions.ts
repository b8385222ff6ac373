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
} as const;

export type AuditAction = keyof typeof auditActions;
export type AuditSubjectType = (typeof auditActions)[AuditAction];

export const auditActionNames = Object.keys(auditActions) as AuditAction[];
export const auditSubjectTypes = [...new Set<AuditSubjectType>(Object.values(auditActions))];

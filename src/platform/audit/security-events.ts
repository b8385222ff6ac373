import type { AuditAction } from './audit-actions.js';

interface SecurityEvent {
  /** Events that an administrator should look at are warnings. */
  level: 'info' | 'warn';
  /**
   * Whether anybody may cause it again and again: `failure` without an account of their own, `own` with one. How many
   * entries of it the audit log takes is bounded; the stream of the log has all.
   */
  repeats?: 'failure' | 'own';
}

/**
 * The security events: actions of the audit log that say who got in, who tried to, and what changed about that. Each is
 * also a line of the stream `security` of the service's log. `AuditLog.record` is the door for both.
 */
export const securityEvents: Partial<Record<AuditAction, SecurityEvent>> = {
  'user.signed_in': { level: 'info', repeats: 'own' },
  'user.reauthenticated': { level: 'info', repeats: 'own' },
  'user.provider_linked': { level: 'info', repeats: 'own' },
  'user.provider_unlinked': { level: 'info', repeats: 'own' },
  'user.signed_out_by_provider': { level: 'info', repeats: 'own' },
  'user.login_failed': { level: 'warn', repeats: 'failure' },
  'user.login_code_failed': { level: 'warn', repeats: 'failure' },
  'user.login_refused': { level: 'warn', repeats: 'own' },
  'user.password_failed': { level: 'warn', repeats: 'failure' },
  'user.code_failed': { level: 'warn', repeats: 'failure' },
  'user.attempts_blocked': { level: 'warn', repeats: 'failure' },
  'user.signed_out': { level: 'info', repeats: 'own' },
  'user.session_ended': { level: 'info', repeats: 'own' },
  'user.sessions_ended': { level: 'info', repeats: 'own' },
  'user.refresh_token_reused': { level: 'warn', repeats: 'own' },
  'user.password_changed': { level: 'info' },
  'user.password_reset': { level: 'info' },
  'user.email_changed': { level: 'info', repeats: 'own' },
  'user.email_confirmed': { level: 'info' },
  'user.email_restored': { level: 'warn' },
  'user.totp_enabled': { level: 'info', repeats: 'own' },
  'user.totp_disabled': { level: 'info', repeats: 'own' },
  'user.totp_reset': { level: 'warn' },
  'user.recovery_codes_renewed': { level: 'info', repeats: 'own' },
  'user.recovery_code_used': { level: 'warn' },
  'user.role_changed': { level: 'warn' },
  'user.protection_changed': { level: 'info' },
  'user.suspension_changed': { level: 'warn' },
  'user.deleted': { level: 'info' },
  'member.joined': { level: 'info' },
  'member.role_changed': { level: 'info' },
  'member.removed': { level: 'info' },
  'member.left': { level: 'info' },
  'api_key.created': { level: 'info' },
  'api_key.revoked': { level: 'info' },
};

export const securityEventNames = Object.keys(securityEvents) as AuditAction[];

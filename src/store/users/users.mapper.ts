import type { User, UserDetail } from './users.dto.js';

/** `maria@example.com` becomes `m***@example.com`: nobody's address, yet a valid one, as the response body requires. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const first = /^[a-z0-9]/i.exec(email)?.[0] ?? '';
  return `${first}***${email.slice(at)}`;
}

/** An account as others see it; admins also whether it is suspended. */
export function toUserDetail(
  { email_verified: _kept, suspended, role_source, ...user }: User,
  forAdmin: boolean,
): UserDetail {
  return forAdmin ? { ...user, suspended, role_source } : user;
}

/**
 * An account as strangers see it under the hardened policy: without its credit, the e-mail masked. Whether it has two-factor
 * login, or may be deleted, would tell them which admin to attack.
 */
export function toStrangersView(user: User): UserDetail {
  const {
    account_credit: _kept,
    email_verified: _too,
    suspended: _own,
    totp_enabled: _guard,
    can_be_deleted: _fixed,
    role_source: _given,
    ...shown
  } = user;
  return { ...shown, email: maskEmail(user.email) };
}

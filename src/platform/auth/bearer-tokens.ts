import type { IncomingMessage } from 'node:http';
import type { CodeOf } from '../errors/error-codes.js';
import { Unauthenticated } from '../errors/errors.js';

/** More than any token of ours, yet quick to parse. */
const maxTokenLength = 4_096;

/**
 * The bearer token of a request (RFC 6750, section 2.1), or null. passport-jwt's own parser takes a fifth of a second for
 * a header of 16 KiB without a blank.
 */
export function bearerTokenOf({ headers }: IncomingMessage): string | null {
  const { authorization = '' } = headers;
  if (authorization.length > maxTokenLength) return null;
  return /^bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1] ?? null;
}

/** Whether a request carries a bearer token, valid or not. */
export function hasBearerToken({ headers }: IncomingMessage): boolean {
  return /^bearer(\s|$)/i.test(headers.authorization ?? '');
}

/**
 * The refusal of a request without a valid token: none was sent, or it expired, is malformed or was revoked. `info` is
 * passport-jwt's error; it is undefined for a well-signed token that was revoked.
 */
export function tokenRefusal(request: IncomingMessage, info: unknown): Unauthenticated {
  if (!hasBearerToken(request)) return new Unauthenticated();
  const { name } = (info ?? {}) as { name?: string };
  if (name === 'TokenExpiredError') return refused('The access token has expired: sign in again', 'token_expired');
  if (info) return refused('This access token was not issued by this service: sign in again', 'token_invalid');
  const ended = 'This access token was revoked (sign-out, new password or role, or deleted account): sign in again';
  return refused(ended, 'token_revoked');
}

function refused(message: string, code: CodeOf<'unauthenticated'>): Unauthenticated {
  return new Unauthenticated(message, code, { error: 'invalid_token' });
}

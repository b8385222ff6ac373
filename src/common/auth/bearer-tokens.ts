import type { IncomingMessage } from 'node:http';
import type { CodeOf } from '../errors/error-codes.js';
import { Unauthenticated } from '../errors/kinds.js';

/** Longer than any token of ours, and short enough to be read in no time. */
const maxTokenLength = 4_096;

/**
 * The bearer token of a request (RFC 6750, section 2.1), or null. passport-jwt's own reading of the header takes a fifth
 * of a second for 16 KiB of it that hold no blank.
 */
export function bearerTokenOf({ headers }: IncomingMessage): string | null {
  const { authorization = '' } = headers;
  if (authorization.length > maxTokenLength) return null;
  return /^bearer +([\w.~+/=-]+) *$/i.exec(authorization)?.[1] ?? null;
}

/** Whether a request carries a bearer token, whatever it is worth. */
export function hasBearerToken({ headers }: IncomingMessage): boolean {
  return /^bearer(\s|$)/i.test(headers.authorization ?? '');
}

/**
 * Why a request has no caller: it sent no token, or one that ran out, cannot be read, or was ended.
 * `info` is what passport-jwt found wrong with the token; nothing where it is good and the account does not honour it.
 */
export function tokenRefusal(request: IncomingMessage, info: unknown): Unauthenticated {
  if (!hasBearerToken(request)) return new Unauthenticated();
  const { name } = (info ?? {}) as { name?: string };
  if (name === 'TokenExpiredError') return refused('The access token has expired: sign in again', 'token_expired');
  if (info) return refused('The access token is none of this service: sign in for a new one', 'token_invalid');
  const ended = 'The access token was ended, by a new password or role, or with its account: sign in again';
  return refused(ended, 'token_revoked');
}

function refused(message: string, code: CodeOf<'unauthenticated'>): Unauthenticated {
  return new Unauthenticated(message, code, { error: 'invalid_token' });
}

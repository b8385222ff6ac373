import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Secrets } from '../../config/secrets.js';
import { Settings } from '../../config/settings.js';
import { sameText } from '../crypto/digests.js';
import type { TokenSubject } from './caller.js';

export const tokenAlgorithm = 'HS256';
export const tokenIssuer = 'store-service';
/** What they are for (`aud`): the interface of this service, and nothing else that its key may sign. */
export const tokenAudience = 'store-service-api';

/** The key of their signatures. Given a string, each signature and each check would first try to parse a key pair's. */
export const tokenKey = ({ jwtSecret }: Secrets): KeyObject => createSecretKey(Buffer.from(jwtSecret));

/**
 * Finds the key of a token's signature among the present one and older ones; the present one where none fits. Whether
 * the token is valid is checked with that key.
 */
export function signingKeys({ jwtSecrets }: Secrets): (token: string) => KeyObject {
  const [first, ...older] = jwtSecrets.map((secret) => createSecretKey(Buffer.from(secret))) as [KeyObject];
  return (token) => {
    if (older.length === 0) return first;
    const end = token.lastIndexOf('.');
    const [signed, signature] = [token.slice(0, Math.max(0, end)), token.slice(end + 1)];
    const fits = (key: KeyObject) => sameText(createHmac('sha256', key).update(signed).digest('base64url'), signature);
    return [first, ...older].find(fits) ?? first;
  };
}

/** The account of an access token, the version of the account's tokens at which it was issued, and its session. */
export interface AccessTokenClaims {
  sub: string;
  ver: number;
  /** A token that no login issued has none. */
  sid?: string;
  /** When the user last proved who they are, in seconds since 1970 (OpenID Connect Core, section 2). */
  auth_time?: number;
  /** `mfa` where the provider of OpenID Connect vouches for two factors (RFC 8176). */
  amr?: string[];
}

/** The login that an access token is of. */
type TokenLogin = Pick<TokenSubject, 'sessionId' | 'authenticatedAt' | 'isMultiFactor'>;

/** Issues access tokens: JSON Web Tokens (RFC 7519), signed with HMAC-SHA-256. */
@Injectable()
export class AccessTokens {
  /** The seconds that one is valid. */
  readonly seconds: number;

  constructor(
    private readonly jwt: JwtService,
    settings: Settings,
  ) {
    this.seconds = settings.accessTokenTtlSeconds;
  }

  issue(
    userId: string,
    tokenVersion: number,
    { sessionId, authenticatedAt, isMultiFactor }: TokenLogin = {},
  ): Promise<string> {
    const claims: AccessTokenClaims = {
      sub: userId,
      ver: tokenVersion,
      ...(sessionId !== undefined && { sid: sessionId }),
      ...(authenticatedAt !== undefined && { auth_time: Math.floor(authenticatedAt) }),
      ...(isMultiFactor && { amr: ['mfa'] }),
    };
    return this.jwt.signAsync(claims);
  }
}

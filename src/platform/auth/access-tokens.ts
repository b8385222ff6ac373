import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Secrets } from '../../config/secrets.js';
import { Settings } from '../../config/settings.js';
import type { TokenSubject } from './caller.js';

export const tokenAlgorithm = 'HS256';
export const tokenIssuer = 'store-service';

/** The key of their signatures. Given a string, each signature and each check would first try to parse a key pair's. */
export const tokenKey = ({ jwtSecret }: Secrets): KeyObject => createSecretKey(Buffer.from(jwtSecret));

/** The account of an access token, the version of the account's tokens at which it was issued, and its session. */
export interface AccessTokenClaims {
  sub: string;
  ver: number;
  /** A token that no login issued has none. */
  sid?: string;
  /** When the user last proved who they are, in seconds since 1970 (OpenID Connect Core, section 2). */
  auth_time?: number;
}

/** The login that an access token is of. */
type TokenLogin = Pick<TokenSubject, 'sessionId' | 'authenticatedAt'>;

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

  issue(userId: string, tokenVersion: number, { sessionId, authenticatedAt }: TokenLogin = {}): Promise<string> {
    const claims: AccessTokenClaims = {
      sub: userId,
      ver: tokenVersion,
      ...(sessionId !== undefined && { sid: sessionId }),
      ...(authenticatedAt !== undefined && { auth_time: Math.floor(authenticatedAt) }),
    };
    return this.jwt.signAsync(claims);
  }
}

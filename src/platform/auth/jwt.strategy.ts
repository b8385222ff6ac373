import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Strategy, type StrategyOptionsWithRequest } from 'passport-jwt';
import { Secrets } from '../../config/secrets.js';
import { isUuid } from '../validation/check-value.js';
import { type AccessTokenClaims, signingKeys, tokenAlgorithm, tokenAudience, tokenIssuer } from './access-tokens.js';
import { CallerDirectory } from './caller.js';
import { type KnownToken, KnownTokens } from './known-tokens.js';
import { bearerTokenOf } from './bearer-tokens.js';

type Claims = Partial<AccessTokenClaims> & { exp?: number };

/** The known token of verified claims, or null if this service did not issue them. */
function knownTokenOf({ sub, ver, sid, auth_time: authenticatedAt, amr, exp }: Claims): KnownToken | null {
  if (typeof sub !== 'string' || !isUuid(sub) || !Number.isSafeInteger(ver) || exp === undefined) return null;
  if (sid !== undefined && typeof sid !== 'string') return null;
  return {
    userId: sub,
    tokenVersion: ver as number,
    expiresAt: exp,
    ...(sid !== undefined && { sessionId: sid }),
    ...(typeof authenticatedAt === 'number' && { authenticatedAt }),
    ...(Array.isArray(amr) && amr.includes('mfa') && { isMultiFactor: true }),
  };
}

/** Finds the caller by the bearer token: checks its signature and lifetime, then the current state of the account. */
@Injectable()
export class JwtStrategy extends Strategy {
  constructor(secrets: Secrets, callers: CallerDirectory, known: KnownTokens) {
    const keyOf = signingKeys(secrets);
    const options: StrategyOptionsWithRequest = {
      jwtFromRequest: bearerTokenOf,
      secretOrKeyProvider: (_request: Request, token: string, done) => done(null, keyOf(token) as unknown as Buffer),
      algorithms: [tokenAlgorithm],
      issuer: tokenIssuer,
      audience: tokenAudience,
      passReqToCallback: true,
    };
    super(options, (request: Request, claims: Claims, done) => {
      const token = knownTokenOf(claims);
      if (token && request.headers.authorization) known.keep(request.headers.authorization, token);
      const caller = token ? callers.find(token) : Promise.resolve(null);
      caller.then(
        (found) => done(null, found ?? false),
        (error: unknown) => done(error),
      );
    });
  }
}

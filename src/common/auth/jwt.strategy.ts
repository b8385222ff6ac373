import { createSecretKey } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Secrets } from '../../config/secrets.js';
import { isUuid } from '../validation/check-value.js';
import { type AccessTokenClaims, tokenAlgorithm, tokenIssuer } from './access-tokens.js';
import { CallerDirectory, type CallerIdentity } from './caller.js';

/** Knows the caller by the bearer token: its signature and lifetime, then the account's present state. */
@Injectable()
export class JwtStrategy extends Strategy {
  constructor(secrets: Secrets, callers: CallerDirectory) {
    const options = {
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // As a key object: from a string, each check would first try to read a public key.
      secretOrKey: createSecretKey(Buffer.from(secrets.jwtSecret)) as unknown as Buffer,
      algorithms: [tokenAlgorithm] as const,
      issuer: tokenIssuer,
    };
    super({ ...options, algorithms: [...options.algorithms] }, (claims: Partial<AccessTokenClaims>, done) => {
      JwtStrategy.callerOf(claims, callers).then(
        (caller) => done(null, caller ?? false),
        (error: unknown) => done(error),
      );
    });
  }

  private static async callerOf(
    claims: Partial<AccessTokenClaims>,
    callers: CallerDirectory,
  ): Promise<CallerIdentity | null> {
    const { sub, ver } = claims;
    if (typeof sub !== 'string' || !isUuid(sub) || !Number.isSafeInteger(ver)) return null;
    return callers.find(sub, ver as number);
  }
}

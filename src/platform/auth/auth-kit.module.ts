import { Global, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { JwtModule } from '@nestjs/jwt';
import { Secrets } from '../../config/secrets.js';
import { Settings } from '../../config/settings.js';
import { AccessGuard } from './access.guard.js';
import { AccessPolicy } from './access-policy.js';
import { AccessTokens, tokenAlgorithm, tokenAudience, tokenIssuer, tokenKey } from './access-tokens.js';
import { KnownTokens } from './known-tokens.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LastingAccess } from './lasting-access.js';
import { RecentLogins } from './recent-login.js';

/** Tokens, the guard of every route, and the access policy. The users module provides its `CallerDirectory`. */
@Global()
@Module({
  imports: [
    JwtModule.registerAsync({
      inject: [Secrets, Settings],
      useFactory: (secrets: Secrets, settings: Settings) => ({
        secret: tokenKey(secrets),
        signOptions: {
          algorithm: tokenAlgorithm,
          issuer: tokenIssuer,
          audience: tokenAudience,
          expiresIn: settings.accessTokenTtlSeconds,
        },
      }),
    }),
  ],
  providers: [
    AccessTokens,
    AccessPolicy,
    KnownTokens,
    LastingAccess,
    RecentLogins,
    JwtStrategy,
    // It is also a provider of its own, so that `overrideProvider` can replace it in tests
    // (https://docs.nestjs.com/fundamentals/testing).
    AccessGuard,
    { provide: APP_GUARD, useExisting: AccessGuard },
  ],
  exports: [AccessTokens, AccessPolicy, KnownTokens, LastingAccess, RecentLogins],
})
export class AuthKitModule {}

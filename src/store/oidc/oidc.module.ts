import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import express from 'express';
import { NetModule } from '../../platform/net/net.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OidcAccountsService } from './oidc-accounts.service.js';
import { OidcCallbacksController } from './oidc-callbacks.controller.js';
import { OidcController } from './oidc.controller.js';
import { OidcIdentityEntity } from './oidc-identity.entity.js';
import { OidcLinksController } from './oidc-links.controller.js';
import { OidcLinksService } from './oidc-links.service.js';
import { OidcLoginEntity } from './oidc-login.entity.js';
import { OidcLoginsService } from './oidc-logins.service.js';
import { OidcLogoutService } from './oidc-logout.service.js';
import { OidcLogoutTokenEntity } from './oidc-logout-token.entity.js';
import { OidcProvider } from './oidc-provider.js';
import { OidcRepository } from './oidc.repository.js';
import { OidcSessionEntity } from './oidc-session.entity.js';

/** Sign-in by OpenID Connect. */
@Module({
  imports: [
    AccountMailModule,
    AuthModule,
    NetModule,
    SessionsModule,
    repositoriesOf([OidcIdentityEntity, OidcLoginEntity, OidcSessionEntity, OidcLogoutTokenEntity]),
  ],
  controllers: [OidcCallbacksController, OidcController, OidcLinksController],
  providers: [
    OidcAccountsService,
    OidcLinksService,
    OidcLoginsService,
    OidcLogoutService,
    OidcProvider,
    OidcRepository,
  ],
})
export class OidcModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    const forms = express.urlencoded({ extended: false, limit: 20_480, parameterLimit: 10, inflate: false });
    consumer.apply(forms).forRoutes(OidcCallbacksController);
  }
}

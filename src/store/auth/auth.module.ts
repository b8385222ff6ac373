import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { SessionsModule } from '../sessions/sessions.module.js';
import { TotpModule } from '../totp/totp.module.js';
import { UserEntity } from '../users/user.entity.js';
import { AuthController } from './auth.controller.js';
import { AuthRepository } from './auth.repository.js';
import { AuthService } from './auth.service.js';
import { LoginChallengeEntity } from './login-challenge.entity.js';
import { LoginService } from './login.service.js';
import { ReauthenticationService } from './reauthentication.service.js';
import { RefreshController } from './refresh.controller.js';
import { RefreshService } from './refresh.service.js';
import { RegistrationService } from './registration.service.js';
import { SessionCookies } from './session-cookies.js';
import { TokenResponses } from './token-responses.js';

@Module({
  imports: [
    AccountMailModule,
    CryptoModule,
    SessionsModule,
    TotpModule,
    repositoriesOf([LoginChallengeEntity, UserEntity]),
  ],
  controllers: [AuthController, RefreshController],
  providers: [
    AuthService,
    LoginService,
    ReauthenticationService,
    RefreshService,
    RegistrationService,
    SessionCookies,
    TokenResponses,
    AuthRepository,
  ],
  exports: [LoginService, TokenResponses],
})
export class AuthModule {}

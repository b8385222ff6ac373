import { Module } from '@nestjs/common';
import { CryptoModule } from '../../common/crypto/crypto.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { TotpModule } from '../totp/totp.module.js';
import { UserEntity } from '../users/user.entity.js';
import { AuthController } from './auth.controller.js';
import { AuthRepository } from './auth.repository.js';
import { AuthService } from './auth.service.js';
import { LoginChallengeEntity } from './login-challenge.entity.js';
import { LoginService } from './login.service.js';
import { RegistrationService } from './registration.service.js';

@Module({
  imports: [CryptoModule, TotpModule, repositoriesOf([LoginChallengeEntity, UserEntity])],
  controllers: [AuthController],
  providers: [AuthService, LoginService, RegistrationService, AuthRepository],
})
export class AuthModule {}

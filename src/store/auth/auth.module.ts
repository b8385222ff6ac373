import { Module } from '@nestjs/common';
import { CryptoModule } from '../../common/crypto/crypto.module.js';
import { TotpModule } from '../totp/totp.module.js';
import { AuthController } from './auth.controller.js';
import { AuthRepository } from './auth.repository.js';
import { AuthService } from './auth.service.js';
import { LoginService } from './login.service.js';
import { RegistrationService } from './registration.service.js';

@Module({
  imports: [CryptoModule, TotpModule],
  controllers: [AuthController],
  providers: [AuthService, LoginService, RegistrationService, AuthRepository],
})
export class AuthModule {}

import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { AccountMailModule } from '../account-mail/account-mail.module.js';
import { UserEntity } from '../users/user.entity.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';
import { RecoveryCodes } from './recovery-codes.js';
import { TotpController } from './totp.controller.js';
import { TotpRepository } from './totp.repository.js';
import { TotpService } from './totp.service.js';

@Module({
  imports: [AccountMailModule, CryptoModule, repositoriesOf([UserEntity, RecoveryCodeEntity])],
  controllers: [TotpController],
  providers: [TotpService, RecoveryCodes, TotpRepository],
  exports: [TotpService],
})
export class TotpModule {}

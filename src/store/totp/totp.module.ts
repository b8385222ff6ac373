import { Module } from '@nestjs/common';
import { CryptoModule } from '../../common/crypto/crypto.module.js';
import { TotpController } from './totp.controller.js';
import { TotpRepository } from './totp.repository.js';
import { TotpService } from './totp.service.js';

@Module({
  imports: [CryptoModule],
  controllers: [TotpController],
  providers: [TotpService, TotpRepository],
  exports: [TotpService],
})
export class TotpModule {}

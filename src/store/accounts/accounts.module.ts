import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { AccountsController } from './accounts.controller.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { FirstAdminService } from './first-admin.service.js';

@Module({
  imports: [CryptoModule, UploadsModule],
  controllers: [AccountsController],
  providers: [AccountsService, FirstAdminService, AccountsRepository],
  exports: [AccountsService, FirstAdminService],
})
export class AccountsModule {}

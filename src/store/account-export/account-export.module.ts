import { Module } from '@nestjs/common';
import { AccountExportController } from './account-export.controller.js';
import { AccountExportRepository } from './account-export.repository.js';
import { AccountExportService } from './account-export.service.js';

@Module({
  controllers: [AccountExportController],
  providers: [AccountExportService, AccountExportRepository],
})
export class AccountExportModule {}

import { Module } from '@nestjs/common';
import { BackupsModule } from '../backups/backups.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { ChecksService } from './checks.service.js';
import { OperationController } from './operation.controller.js';
import { OperationRepository } from './operation.repository.js';
import { OperationService } from './operation.service.js';

/** How the service is, for its operator. */
@Module({
  imports: [BackupsModule, UploadsModule],
  controllers: [OperationController],
  providers: [OperationService, ChecksService, OperationRepository],
  exports: [ChecksService],
})
export class OperationModule {}

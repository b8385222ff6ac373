import { Module } from '@nestjs/common';
import { BackupsModule } from '../backups/backups.module.js';
import { NodesModule } from '../nodes/nodes.module.js';
import { UploadsModule } from '../uploads/uploads.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { ChecksService } from './checks.service.js';
import { OperationController } from './operation.controller.js';
import { OperationRepository } from './operation.repository.js';
import { OperationService } from './operation.service.js';
import { TrialsService } from './trials.service.js';

/** How the service is, for its operator. */
@Module({
  imports: [BackupsModule, NodesModule, UploadsModule, WebhooksModule],
  controllers: [OperationController],
  providers: [OperationService, ChecksService, TrialsService, OperationRepository],
  exports: [ChecksService, TrialsService],
})
export class OperationModule {}

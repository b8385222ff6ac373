import { Module } from '@nestjs/common';
import { CryptoModule } from '../../common/crypto/crypto.module.js';
import { NetModule } from '../../common/net/net.module.js';
import { ActionSecrets } from './action-secrets.js';
import { CancellationsRepository } from './cancellations.repository.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { SchedulePlanner } from './schedule-planner.js';
import { ScheduleRepository } from './schedule.repository.js';
import { SecretRotationService } from './secret-rotation.service.js';
import { WorkflowActions } from './workflow-actions.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsRepository } from './workflows.repository.js';
import { WorkflowsService } from './workflows.service.js';

@Module({
  imports: [CryptoModule, NetModule],
  controllers: [WorkflowsController],
  providers: [
    WorkflowsService,
    WorkflowsRepository,
    WorkflowActions,
    ActionSecrets,
    RunsService,
    RunsRepository,
    SchedulePlanner,
    ScheduleRepository,
    CancellationsRepository,
    SecretRotationService,
  ],
  exports: [WorkflowsService, WorkflowsRepository, ActionSecrets, CancellationsRepository],
})
export class WorkflowsModule {}

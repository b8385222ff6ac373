import { Module } from '@nestjs/common';
import { CryptoModule } from '../../platform/crypto/crypto.module.js';
import { DeliveryModule } from '../../platform/delivery/delivery.module.js';
import { repositoriesOf } from '../../database/repositories.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { TriggersModule } from '../triggers/triggers.module.js';
import { ViewsModule } from '../views/views.module.js';
import { ActionSecrets } from './action-secrets.js';
import { CancellationsRepository } from './cancellations.repository.js';
import { DigestsRepository } from './digests.repository.js';
import { DigestsService } from './digests.service.js';
import { ManualRunsService } from './manual-runs.service.js';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';
import { SchedulePlanner } from './schedule-planner.js';
import { ScheduleRepository } from './schedule.repository.js';
import { SecretRotationService } from './secret-rotation.service.js';
import { WorkflowActionEntity } from './workflow-action.entity.js';
import { WorkflowActions } from './workflow-actions.js';
import { WorkflowRunEntity } from './workflow-run.entity.js';
import { WorkflowGatheringEntity } from './workflow-gathering.entity.js';
import { WorkflowTroubleEntity } from './workflow-trouble.entity.js';
import { WorkflowTroublesRepository } from './workflow-troubles.repository.js';
import { WorkflowTroublesService } from './workflow-troubles.service.js';
import { WorkflowEntity } from './workflow.entity.js';
import { WorkflowsController } from './workflows.controller.js';
import { WorkflowsRepository } from './workflows.repository.js';
import { WorkflowsService } from './workflows.service.js';

@Module({
  imports: [
    CryptoModule,
    DeliveryModule,
    NotificationsModule,
    TriggersModule,
    ViewsModule,
    repositoriesOf([
      WorkflowEntity,
      WorkflowActionEntity,
      WorkflowRunEntity,
      WorkflowGatheringEntity,
      WorkflowTroubleEntity,
    ]),
  ],
  controllers: [WorkflowsController],
  providers: [
    WorkflowsService,
    WorkflowsRepository,
    WorkflowActions,
    ActionSecrets,
    RunsService,
    ManualRunsService,
    RunsRepository,
    SchedulePlanner,
    ScheduleRepository,
    CancellationsRepository,
    SecretRotationService,
    DigestsRepository,
    DigestsService,
    WorkflowTroublesRepository,
    WorkflowTroublesService,
  ],
  exports: [WorkflowsService, DigestsService, WorkflowTroublesService, WorkflowActions, ActionSecrets],
})
export class WorkflowsModule {}

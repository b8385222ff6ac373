import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { TriggersRepository } from './triggers.repository.js';
import { TriggersService } from './triggers.service.js';
import { WorkflowTriggerEntity } from './workflow-trigger.entity.js';

@Module({
  imports: [repositoriesOf([WorkflowTriggerEntity])],
  providers: [TriggersService, TriggersRepository],
  exports: [TriggersService],
})
export class TriggersModule {}

import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { NodeEntity } from './node.entity.js';
import { NodesRepository } from './nodes.repository.js';
import { NodesService } from './nodes.service.js';

/** The processes of the service. */
@Module({
  imports: [repositoriesOf([NodeEntity])],
  providers: [NodesService, NodesRepository],
  exports: [NodesService],
})
export class NodesModule {}

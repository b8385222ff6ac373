import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { NotedRequestEntity } from './noted-request.entity.js';
import { NotedRequestsController } from './noted-requests.controller.js';
import { NotedRequestsRepository } from './noted-requests.repository.js';
import { NotedRequestsService } from './noted-requests.service.js';

/** What became of requests that an operator asks about. */
@Module({
  imports: [repositoriesOf([NotedRequestEntity])],
  controllers: [NotedRequestsController],
  providers: [NotedRequestsService, NotedRequestsRepository],
})
export class NotedRequestsModule {}

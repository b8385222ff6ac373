import { Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { AdminOnly } from '../../platform/auth/access.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { MovedJobs, Operation, QueuePath } from './operation.dto.js';
import { OperationService } from './operation.service.js';

@ApiTags('admin')
@Controller('api/v1/admin/operation')
export class OperationController {
  constructor(private readonly operation: OperationService) {}

  @Get()
  @AdminOnly()
  @PersonOnly()
  @Answers(
    200,
    Operation,
    'Show how the service is',
    'What an operator looks at: checks with what to do where one fails, what waits in the queue and what was given up, ' +
      'the newest backups, the nodes, and slow statements. `npm start -- --check` prints the same checks.',
  )
  show(@Req() { ip, headers }: Request): Promise<Operation> {
    return this.operation.show({ ip, isForwarded: headers['x-forwarded-for'] !== undefined });
  }

  @Post('queues/:task/retry')
  @HttpCode(200)
  @AdminOnly()
  @PersonOnly()
  @Answers(200, MovedJobs, 'Try the given-up jobs of a task anew', 'Each gets all of its tries again.')
  @Refuses({ not_found: ['not_found'] })
  retry(@Param() { task }: QueuePath): Promise<MovedJobs> {
    return this.operation.retry(task);
  }

  @Post('queues/:task/drop')
  @HttpCode(200)
  @AdminOnly()
  @PersonOnly()
  @Answers(200, MovedJobs, 'Remove the given-up jobs of a task', 'What they were to do is not done.')
  @Refuses({ not_found: ['not_found'] })
  drop(@Param() { task }: QueuePath): Promise<MovedJobs> {
    return this.operation.drop(task);
  }
}

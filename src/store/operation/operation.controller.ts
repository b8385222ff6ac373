import { Controller, Get, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { AdminOnly } from '../../platform/auth/access.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { Answers } from '../../platform/http/answers.js';
import { Operation } from './operation.dto.js';
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
      'and the newest backups. `npm start -- --check` prints the same checks.',
  )
  show(@Req() { ip, headers }: Request): Promise<Operation> {
    return this.operation.show({ ip, isForwarded: headers['x-forwarded-for'] !== undefined });
  }
}

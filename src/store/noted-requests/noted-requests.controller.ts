import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { PersonOnly } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { NotedRequest, NotedRequestPage, NotedRequestPath, NotedRequestQuery } from './noted-requests.dto.js';
import { NotedRequestsService } from './noted-requests.service.js';

@ApiTags('admin')
@Controller('api/v1/admin/requests')
export class NotedRequestsController {
  constructor(private readonly requests: NotedRequestsService) {}

  @Get()
  @AdminOnly()
  @PersonOnly()
  @Answers(
    200,
    NotedRequestPage,
    'List requests that failed, were refused or were slow, newest first',
    'Those of the last 24 hours: failures, what took more than a second, and refusals to callers who were signed in or ' +
      'used a key. At most twenty a second of each node; the log has all. A request is in the list a second or two ' +
      'after its response.',
  )
  list(@Query() query: NotedRequestQuery): Promise<NotedRequestPage> {
    return this.requests.list(query);
  }

  @Get(':request_id')
  @AdminOnly()
  @PersonOnly()
  @Answers(
    200,
    NotedRequest,
    'Show what became of a request',
    'By the x-request-id of its response. Of several with the same id it is the newest.',
  )
  @Refuses({ not_found: ['not_found'] })
  show(@Param() { request_id }: NotedRequestPath): Promise<NotedRequest> {
    return this.requests.show(request_id);
  }
}

import { Controller, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { StreamedBody } from '../../platform/http/streamed-body.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { ScanPath } from '../scans/scans.dto.js';
import { EventAppendsService } from './event-appends.service.js';
import { EventAppendResult, EventCreate } from './scan-event-append.dto.js';

@ApiTags('events')
@Controller('api/v1/scans')
export class EventAppendsController {
  constructor(private readonly events: EventAppendsService) {}

  @Post(':id/events')
  @StreamedBody()
  @OrganizationAccess('member')
  @ApiConsumes('application/json', 'application/x-ndjson')
  @ApiBody({ type: [EventCreate] })
  @Answers(
    201,
    EventAppendResult,
    'Append events to a scan',
    'A JSON array of them, or one per line (`application/x-ndjson`): either all are accepted or none. An event ' +
      'with its own id (a UUID of version 7) is stored once, so that a request can be repeated safely.',
  )
  @Examples({ id: demo('runningScan') })
  @Refuses({ too_many_requests: ['rate_exceeded', 'busy'] })
  append(
    @Param() { id }: ScanPath,
    @Req() request: Request,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<EventAppendResult> {
    return this.events.append(organizationId, id, request);
  }
}

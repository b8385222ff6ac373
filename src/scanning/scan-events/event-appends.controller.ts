import { Controller, Param, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers } from '../../common/http/answers.js';
import { ScanPath } from '../scans/scans.shapes.js';
import { EventAppends } from './event-appends.service.js';
import { EventAppendResult, EventCreate } from './scan-event-append.shapes.js';

const summary = 'Append events to a scan, all or none: a JSON array of them, or one a line (application/x-ndjson)';

@ApiTags('events')
@Controller('api/v1/scans')
export class EventAppendsController {
  constructor(private readonly events: EventAppends) {}

  @Post(':id/events')
  @OrganizationAccess('member')
  @ApiConsumes('application/json', 'application/x-ndjson')
  @ApiBody({ type: [EventCreate] })
  @Answers(201, EventAppendResult, summary)
  append(
    @Param() { id }: ScanPath,
    @Req() request: Request,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<EventAppendResult> {
    return this.events.append(organizationId, id, request);
  }
}

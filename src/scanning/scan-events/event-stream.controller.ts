import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { cursorLength } from './arrival-cursor.js';
import { EventStreamsService } from './event-streams.service.js';
import { EventStreamFilter } from './scan-events.dto.js';

const example =
  'id: MTc2Mzc4\ndata: {"id":"0199a001-0000-7000-8000-000000000001","level":"INFO","title":"Login form found"}\n\n';

@ApiTags('events')
@Controller('api/v1/events')
export class EventStreamController {
  constructor(private readonly streams: EventStreamsService) {}

  @Get('stream')
  @OrganizationAccess('viewer')
  @ApiProduces('text/event-stream')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'The id of the last message, as browsers send it when they reconnect',
    schema: { type: 'string', maxLength: cursorLength },
  })
  @Answers(
    200,
    String,
    'Receive events as they arrive',
    'Server-sent events: each message is an event as in lists, sent once, including backdated ones, with a cursor ' +
      'as its id. With `follow=SCANS`, messages of the type `scan` are scans as in GET /api/v1/scans, after each ' +
      'change. A message without data only moves the cursor. Reconnect with the last id, and you miss and repeat ' +
      'nothing. A message of the type `end` says why the service closes the stream: `access_ended`, `slow_reader`, ' +
      '`stopping`, ' +
      '`restored` or `failed`.',
  )
  @Examples({ answer: example })
  @Refuses({ too_many_requests: ['rate_exceeded'], unavailable: ['busy', 'stopping'] })
  stream(
    @Query() filter: EventStreamFilter,
    @Member() caller: OrganizationCaller,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.streams.open(request, response, caller, filter);
  }
}

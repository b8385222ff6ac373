import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { EventHistogram, EventHistogramFilter } from './event-histogram.dto.js';
import { ScanEventsService } from './scan-events.service.js';
import {
  EventArrivalFilter,
  EventArrivals,
  EventFilter,
  EventPath,
  ScanEvent,
  ScanEventPage,
} from './scan-events.dto.js';

@ApiTags('events')
@Controller('api/v1/events')
export class ScanEventsController {
  constructor(private readonly events: ScanEventsService) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(
    200,
    ScanEventPage,
    'List events, newest first',
    'Summaries, without the description; filtered by a text, profiles, scans, assets, issues, stages, levels, ' +
      'attachments and time.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  list(@Query() filter: EventFilter, @Member() { organizationId }: OrganizationCaller): Promise<ScanEventPage> {
    return this.events.list(organizationId, filter);
  }

  @Get('arrivals')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    EventArrivals,
    'Follow events as they arrive',
    'Each event once, including backdated ones. The first call returns a cursor for events from now on; send it as ' +
      '`after` in the next call, at once if `more` is true, else a little later.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  arrivals(
    @Query() filter: EventArrivalFilter,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<EventArrivals> {
    return this.events.arrivals(organizationId, filter);
  }

  @Get('histogram')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    EventHistogram,
    'Count events by level over time',
    'One entry per interval, with a count for each level, for a chart.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  histogram(
    @Query() filter: EventHistogramFilter,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<EventHistogram> {
    return this.events.histogram(organizationId, filter);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    ScanEvent,
    'Get an event with its description',
    'One event in full, with its description and attachments.',
  )
  get(@Param() { id }: EventPath, @Member() { organizationId }: OrganizationCaller): Promise<ScanEvent> {
    return this.events.get(organizationId, id);
  }
}

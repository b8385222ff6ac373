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
    'Summaries, without the description; narrowed by a text, profiles, scans, assets, issues, stages, levels, ' +
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
    'Each event once, those dated back included. The first call answers a cursor for what comes from now on; ' +
      'ask again with it as `after`, at once where `more` is true, else in a while.',
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
    'One bar for each interval, with a count for each level, to draw a chart by.',
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

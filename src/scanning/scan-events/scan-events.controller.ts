import { Controller, Delete, Get, Param, Patch, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { MethodNotAllowed } from '../../common/errors/kinds.js';
import { Answers, NotOffered } from '../../common/http/answers.js';
import { ScanEventsService } from './scan-events.service.js';
import {
  EventArrivalFilter,
  EventArrivals,
  EventFilter,
  EventPath,
  ScanEvent,
  ScanEventPage,
} from './scan-events.shapes.js';

const immutable = 'Events are records: they can be neither changed nor deleted';

@ApiTags('events')
@Controller('api/v1/events')
export class ScanEventsController {
  constructor(private readonly events: ScanEventsService) {}

  @Get()
  @OrganizationAccess('viewer')
  @Answers(200, ScanEventPage, 'List events, newest first')
  list(@Query() filter: EventFilter, @Member() { organizationId }: OrganizationCaller): Promise<ScanEventPage> {
    return this.events.list(organizationId, filter);
  }

  @Get('arrivals')
  @OrganizationAccess('viewer')
  @Answers(200, EventArrivals, 'Follow events as they arrive, back-dated ones included, each once')
  arrivals(
    @Query() filter: EventArrivalFilter,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<EventArrivals> {
    return this.events.arrivals(organizationId, filter);
  }

  @Get(':id')
  @OrganizationAccess('viewer')
  @Answers(200, ScanEvent, 'Get an event with its description')
  get(@Param() { id }: EventPath, @Member() { organizationId }: OrganizationCaller): Promise<ScanEvent> {
    return this.events.get(organizationId, id);
  }

  @Delete(':id')
  @OrganizationAccess('viewer')
  @NotOffered(immutable)
  remove(@Param() _path: EventPath): never {
    throw unchangeable();
  }

  @Put(':id')
  @OrganizationAccess('viewer')
  @NotOffered(immutable)
  replace(@Param() _path: EventPath): never {
    throw unchangeable();
  }

  @Patch(':id')
  @OrganizationAccess('viewer')
  @NotOffered(immutable)
  update(@Param() _path: EventPath): never {
    throw unchangeable();
  }
}

function unchangeable(): MethodNotAllowed {
  return new MethodNotAllowed(`${immutable}. Append a new one to their scan`, ['GET', 'HEAD']);
}

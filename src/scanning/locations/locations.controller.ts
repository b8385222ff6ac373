import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { SearchPaging } from '../search-paging.js';
import { LocationsService } from './locations.service.js';
import { LocationPath, Proxy, ProxyCreate, ProxyPage, ProxyUpdate } from './locations.dto.js';

@ApiTags('locations')
@Controller('api/v1')
export class LocationsController {
  constructor(private readonly locations: LocationsService) {}

  @Get('locations')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    ProxyPage,
    'List locations, newest first',
    "From where scans are run: the platform's own places, and private ones in the organization's network.",
  )
  list(@Query() paging: SearchPaging, @Member() { organizationId }: OrganizationCaller): Promise<ProxyPage> {
    return this.locations.list(organizationId, paging);
  }

  @Post('locations')
  @OrganizationAccess('member')
  @Answers(201, Proxy, 'Make a location', 'Only recorded: scanners run elsewhere, and name the location of a scan.')
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  create(@Body() location: ProxyCreate, @Member() { organizationId }: OrganizationCaller): Promise<Proxy> {
    return this.locations.create(organizationId, location);
  }

  @Get('locations/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Proxy, 'Get a location', 'One location, as webhooks send it too (a proxy).')
  get(@Param() { id }: LocationPath, @Member() { organizationId }: OrganizationCaller): Promise<Proxy> {
    return this.locations.get(organizationId, id);
  }

  @Patch('locations/:id')
  @OrganizationAccess('member')
  @Answers(
    200,
    Proxy,
    'Update a location',
    'Omitted fields stay as they are. Disabling one sets off workflows with the trigger LOCATION_DOWN.',
  )
  update(
    @Param() { id }: LocationPath,
    @Body() changes: ProxyUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Proxy> {
    return this.locations.update(organizationId, id, changes);
  }

  @Delete('locations/:id')
  @OrganizationAccess('member')
  @Answers(204, undefined, 'Delete a location', 'Scans that named it stay, and name none.')
  remove(@Param() { id }: LocationPath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.locations.remove(organizationId, id);
  }
}

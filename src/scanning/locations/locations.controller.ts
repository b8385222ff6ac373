import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers } from '../../common/http/answers.js';
import { SearchPaging } from '../search-paging.js';
import { LocationsService } from './locations.service.js';
import { LocationPath, Proxy, ProxyCreate, ProxyPage, ProxyUpdate } from './locations.shapes.js';

@ApiTags('locations')
@Controller('api/v1')
export class LocationsController {
  constructor(private readonly locations: LocationsService) {}

  @Get('locations')
  @OrganizationAccess('viewer')
  @Answers(200, ProxyPage, 'List locations, newest first')
  list(@Query() paging: SearchPaging, @Member() { organizationId }: OrganizationCaller): Promise<ProxyPage> {
    return this.locations.list(organizationId, paging);
  }

  @Post('locations')
  @OrganizationAccess('member')
  @Answers(201, Proxy, 'Make a location')
  create(@Body() location: ProxyCreate, @Member() { organizationId }: OrganizationCaller): Promise<Proxy> {
    return this.locations.create(organizationId, location);
  }

  @Get('locations/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Proxy, 'Get a location')
  get(@Param() { id }: LocationPath, @Member() { organizationId }: OrganizationCaller): Promise<Proxy> {
    return this.locations.get(organizationId, id);
  }

  @Patch('locations/:id')
  @OrganizationAccess('member')
  @Answers(200, Proxy, 'Update a location')
  update(
    @Param() { id }: LocationPath,
    @Body() changes: ProxyUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Proxy> {
    return this.locations.update(organizationId, id, changes);
  }

  @Delete('locations/:id')
  @OrganizationAccess('member')
  @Answers(204, undefined, 'Delete a location')
  remove(@Param() { id }: LocationPath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.locations.remove(organizationId, id);
  }
}

import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, BearerOrKey, OrganizationAccess } from '../../common/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../common/auth/caller.js';
import { KeyCaller, Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers } from '../../common/http/answers.js';
import { CursorPaging } from '../../common/http/cursor.js';
import { OrganizationsService } from './organizations.service.js';
import {
  Organization,
  OrganizationCreate,
  OrganizationPage,
  OrganizationPath,
  OrganizationUpdate,
} from './organizations.shapes.js';

@ApiTags('organizations')
@Controller('api/v1')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Post('organizations')
  @Bearer()
  @Answers(201, Organization, 'Make an organization')
  create(@Body() organization: OrganizationCreate, @Caller() caller: CallerIdentity): Promise<Organization> {
    return this.organizations.create(organization, caller);
  }

  @Get('organizations')
  @BearerOrKey()
  @Answers(200, OrganizationPage, "List the caller's organizations")
  list(
    @Query() paging: CursorPaging,
    @MaybeCaller() user: CallerIdentity,
    @KeyCaller() key: OrganizationCaller | null,
  ): Promise<OrganizationPage> {
    return key ? this.organizations.listOfKey(key, paging) : this.organizations.listOfUser(user, paging);
  }

  @Get('organizations/current')
  @OrganizationAccess('viewer')
  @Answers(200, Organization, 'Get the organization that the API key or X-Organization-Id names')
  current(@Member() caller: OrganizationCaller): Promise<Organization> {
    return this.organizations.get(caller);
  }

  @Get('organizations/:organizationId')
  @OrganizationAccess('viewer')
  @Answers(200, Organization, 'Get an organization')
  get(@Param() _path: OrganizationPath, @Member() caller: OrganizationCaller): Promise<Organization> {
    return this.organizations.get(caller);
  }

  @Patch('organizations/:organizationId')
  @OrganizationAccess('admin')
  @Answers(200, Organization, "Update an organization's general settings")
  update(
    @Param() _path: OrganizationPath,
    @Body() changes: OrganizationUpdate,
    @Member() caller: OrganizationCaller,
  ): Promise<Organization> {
    return this.organizations.update(caller, changes);
  }
}

import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, BearerOrKey, OrganizationAccess } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../platform/auth/caller.js';
import { KeyCaller, Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { OrganizationsService } from './organizations.service.js';
import {
  Organization,
  OrganizationCreate,
  OrganizationPage,
  OrganizationPath,
  OrganizationUpdate,
} from './organizations.dto.js';

@ApiTags('organizations')
@Controller('api/v1')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Post('organizations')
  @Bearer()
  @Answers(
    201,
    Organization,
    'Create an organization',
    'You become its admin. Everything in the scanning wing belongs to an organization.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  create(@Body() organization: OrganizationCreate, @Caller() caller: CallerIdentity): Promise<Organization> {
    return this.organizations.create(organization, caller);
  }

  @Get('organizations')
  @BearerOrKey()
  @Answers(
    200,
    OrganizationPage,
    "List the caller's organizations",
    'The organizations that you are a member of, with your role in each; an API key sees its own.',
  )
  list(
    @Query() paging: CursorPaging,
    @MaybeCaller() user: CallerIdentity,
    @KeyCaller() key: OrganizationCaller | null,
  ): Promise<OrganizationPage> {
    return key ? this.organizations.listOfKey(key, paging) : this.organizations.listOfUser(user, paging);
  }

  @Get('organizations/current')
  @OrganizationAccess('viewer')
  @Versioned()
  @Answers(
    200,
    Organization,
    'Get the organization that the API key or X-Organization-Id names',
    "The organization of the request, and the caller's role in it: a good first call with a new API key.",
  )
  current(@Member() caller: OrganizationCaller): Promise<Organization> {
    return this.organizations.get(caller);
  }

  @Get('organizations/:organizationId')
  @OrganizationAccess('viewer')
  @Versioned()
  @Answers(200, Organization, 'Get an organization', "Its settings, and the caller's role in it.")
  get(@Param() _path: OrganizationPath, @Member() caller: OrganizationCaller): Promise<Organization> {
    return this.organizations.get(caller);
  }

  @Patch('organizations/:organizationId')
  @OrganizationAccess('admin')
  @Answers(
    200,
    Organization,
    "Update an organization's general settings",
    'Its name, and whether webhooks send the scoped payload, which contains no credentials. Omitted fields stay as ' +
      'they are.',
  )
  @TakesIfMatch()
  @Refuses({ precondition_failed: ['changed_meanwhile'] })
  update(
    @Param() _path: OrganizationPath,
    @Body() changes: OrganizationUpdate,
    @Member() caller: OrganizationCaller,
    @IfMatch() ifMatch: string | null,
  ): Promise<Organization> {
    return this.organizations.update(caller, changes, ifMatch);
  }
}

import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { SearchPaging } from '../search-paging.js';
import { ProfilesService } from './profiles.service.js';
import { Application, ApplicationCreate, ApplicationPage, ApplicationUpdate, ProfilePath } from './profiles.dto.js';

@ApiTags('profiles')
@Controller('api/v1')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get('profiles')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    ApplicationPage,
    'List profiles, newest first',
    'Each profile names an application of the organization and the kind of scanner for it.',
  )
  list(@Query() paging: SearchPaging, @Member() { organizationId }: OrganizationCaller): Promise<ApplicationPage> {
    return this.profiles.list(organizationId, paging);
  }

  @Post('profiles')
  @OrganizationAccess('member')
  @Answers(
    201,
    Application,
    'Create a profile',
    'Scans belong to a profile. An import without one creates it, named after the tool.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'] })
  create(@Body() profile: ApplicationCreate, @Member() { organizationId }: OrganizationCaller): Promise<Application> {
    return this.profiles.create(organizationId, profile);
  }

  @Get('profiles/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Application, 'Get a profile', 'One profile, which webhooks send as an application.')
  get(@Param() { id }: ProfilePath, @Member() { organizationId }: OrganizationCaller): Promise<Application> {
    return this.profiles.get(organizationId, id);
  }

  @Patch('profiles/:id')
  @OrganizationAccess('member')
  @Answers(200, Application, 'Update a profile', 'Omitted fields stay as they are.')
  update(
    @Param() { id }: ProfilePath,
    @Body() changes: ApplicationUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Application> {
    return this.profiles.update(organizationId, id, changes);
  }

  @Delete('profiles/:id')
  @OrganizationAccess('member')
  @Answers(204, undefined, 'Delete a profile', 'Only a profile without scans can be deleted, since these are records.')
  @Refuses({ conflict: ['profile_in_use'] })
  @Examples({ id: demo('unusedProfile') })
  remove(@Param() { id }: ProfilePath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.profiles.remove(organizationId, id);
  }
}

import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { SearchPaging } from '../search-paging.js';
import { ProfilesService } from './profiles.service.js';
import { Application, ApplicationCreate, ApplicationPage, ApplicationUpdate, ProfilePath } from './profiles.shapes.js';

@ApiTags('profiles')
@Controller('api/v1')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get('profiles')
  @OrganizationAccess('viewer')
  @Answers(200, ApplicationPage, 'List profiles, newest first')
  list(@Query() paging: SearchPaging, @Member() { organizationId }: OrganizationCaller): Promise<ApplicationPage> {
    return this.profiles.list(organizationId, paging);
  }

  @Post('profiles')
  @OrganizationAccess('member')
  @Answers(201, Application, 'Make a profile')
  create(@Body() profile: ApplicationCreate, @Member() { organizationId }: OrganizationCaller): Promise<Application> {
    return this.profiles.create(organizationId, profile);
  }

  @Get('profiles/:id')
  @OrganizationAccess('viewer')
  @Answers(200, Application, 'Get a profile')
  get(@Param() { id }: ProfilePath, @Member() { organizationId }: OrganizationCaller): Promise<Application> {
    return this.profiles.get(organizationId, id);
  }

  @Patch('profiles/:id')
  @OrganizationAccess('member')
  @Answers(200, Application, 'Update a profile')
  update(
    @Param() { id }: ProfilePath,
    @Body() changes: ApplicationUpdate,
    @Member() { organizationId }: OrganizationCaller,
  ): Promise<Application> {
    return this.profiles.update(organizationId, id, changes);
  }

  @Delete('profiles/:id')
  @OrganizationAccess('member')
  @Answers(204, undefined, 'Delete a profile')
  @Refuses({ conflict: 'The profile has scans' })
  remove(@Param() { id }: ProfilePath, @Member() { organizationId }: OrganizationCaller): Promise<void> {
    return this.profiles.remove(organizationId, id);
  }
}

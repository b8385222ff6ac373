import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OrganizationAccess } from '../../common/auth/access.js';
import { Member, type OrganizationCaller } from '../../common/auth/organization-caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { CursorPaging } from '../../common/http/cursor.js';
import { MembersService } from './members.service.js';
import {
  OrganizationMember,
  OrganizationMemberCreate,
  OrganizationMemberPage,
  OrganizationMemberPath,
  OrganizationMemberRemoval,
  OrganizationMemberUpdate,
} from './members.shapes.js';
import { OrganizationPath } from './organizations.shapes.js';

@ApiTags('organizations')
@Controller('api/v1')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get('organizations/:organizationId/members')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    OrganizationMemberPage,
    "List an organization's members",
    'Who belongs to it, and in which role: viewers read, members write, admins also manage members, keys, ' +
      'integrations and workflows.',
  )
  list(
    @Param() _path: OrganizationPath,
    @Query() paging: CursorPaging,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMemberPage> {
    return this.members.list(caller, paging);
  }

  @Post('organizations/:organizationId/members')
  @OrganizationAccess('admin')
  @Answers(
    201,
    OrganizationMember,
    'Make somebody a member of an organization',
    'Names an account by its id or its username.',
  )
  @Refuses({ quota_exceeded: ['quota_exceeded'], conflict: ['already_a_member'] })
  add(
    @Param() _path: OrganizationPath,
    @Body() member: OrganizationMemberCreate,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMember> {
    return this.members.add(caller, member);
  }

  @Patch('organizations/:organizationId/members/:userId')
  @OrganizationAccess('admin')
  @Answers(200, OrganizationMember, 'Give a member another role', 'The last admin keeps that role.')
  @Refuses({ conflict: ['last_admin'] })
  update(
    @Param() { userId }: OrganizationMemberPath,
    @Body() { role }: OrganizationMemberUpdate,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMember> {
    return this.members.update(caller, userId, role);
  }

  @Delete('organizations/:organizationId/members/:userId')
  @OrganizationAccess('admin')
  @Answers(
    204,
    undefined,
    'Take a member out of an organization',
    'The API keys that they made go on, since pipelines may rely on them, unless `revokeKeys` is true.',
  )
  @Refuses({ conflict: ['last_admin'] })
  remove(
    @Param() { userId }: OrganizationMemberPath,
    @Query() { revokeKeys }: OrganizationMemberRemoval,
    @Member() caller: OrganizationCaller,
  ): Promise<void> {
    return this.members.remove(caller, userId, revokeKeys);
  }
}

import { Body, Controller, Delete, Get, Param, Patch, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, OrganizationAccess } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { InvitationsService } from './invitations.service.js';
import { MembersService } from './members.service.js';
import {
  OrganizationMember,
  OrganizationMemberPage,
  OrganizationMemberPaging,
  OrganizationMemberPath,
  OrganizationMemberRemoval,
  OrganizationMemberUpdate,
} from './members.dto.js';
import { OrganizationPath } from './organizations.dto.js';

@ApiTags('organizations')
@Controller('api/v1')
export class MembersController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get('organizations/:organizationId/members')
  @OrganizationAccess('viewer')
  @Answers(
    200,
    OrganizationMemberPage,
    "List an organization's members",
    'Its members and their roles: viewers read, members write, admins also manage members, keys, integrations and ' +
      'workflows. For admins, `status=INVITED` lists the pending invitations.',
  )
  list(
    @Param() _path: OrganizationPath,
    @Query() { status, ...paging }: OrganizationMemberPaging,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMemberPage> {
    return status === 'INVITED' ? this.invitations.list(caller, paging) : this.members.list(caller, paging);
  }

  @Patch('organizations/:organizationId/members/:userId')
  @OrganizationAccess('admin')
  @RecentLogin()
  @Answers(200, OrganizationMember, 'Change the role of a member', 'The last admin stays an admin.')
  @Refuses({ conflict: ['last_admin'] })
  update(
    @Param() { userId }: OrganizationMemberPath,
    @Body() { role }: OrganizationMemberUpdate,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMember> {
    return this.members.update(caller, userId, role);
  }

  @Delete('organizations/:organizationId/members/me')
  @Bearer()
  @Answers(
    204,
    undefined,
    'Leave an organization',
    'Any member may leave, except the last admin of an organization with other members. If its only member leaves, ' +
      'the organization is deleted with everything that belongs to it.',
  )
  @Refuses({ not_found: ['not_found'], conflict: ['last_admin'] })
  leave(@Param() { organizationId }: OrganizationPath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.members.leave(organizationId, caller);
  }

  @Delete('organizations/:organizationId/members/:userId')
  @OrganizationAccess('admin')
  @RecentLogin()
  @Answers(
    204,
    undefined,
    'Remove a member from an organization',
    'The API keys that they created stay valid, since pipelines may rely on them, unless `revokeKeys` is true.',
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

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
  OrganizationMemberUpdate,
} from './members.shapes.js';
import { OrganizationPath } from './organizations.shapes.js';

@ApiTags('organizations')
@Controller('api/v1')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get('organizations/:organizationId/members')
  @OrganizationAccess('viewer')
  @Answers(200, OrganizationMemberPage, "List an organization's members")
  list(
    @Param() _path: OrganizationPath,
    @Query() paging: CursorPaging,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMemberPage> {
    return this.members.list(caller, paging);
  }

  @Post('organizations/:organizationId/members')
  @OrganizationAccess('admin')
  @Answers(201, OrganizationMember, 'Make somebody a member of an organization')
  @Refuses({ conflict: 'He is a member already' })
  add(
    @Param() _path: OrganizationPath,
    @Body() member: OrganizationMemberCreate,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMember> {
    return this.members.add(caller, member);
  }

  @Patch('organizations/:organizationId/members/:userId')
  @OrganizationAccess('admin')
  @Answers(200, OrganizationMember, 'Give a member another role')
  @Refuses({ conflict: 'The last admin of the organization' })
  update(
    @Param() { userId }: OrganizationMemberPath,
    @Body() { role }: OrganizationMemberUpdate,
    @Member() caller: OrganizationCaller,
  ): Promise<OrganizationMember> {
    return this.members.update(caller, userId, role);
  }

  @Delete('organizations/:organizationId/members/:userId')
  @OrganizationAccess('admin')
  @Answers(204, undefined, 'Take a member out of an organization')
  @Refuses({ conflict: 'The last admin of the organization' })
  remove(@Param() { userId }: OrganizationMemberPath, @Member() caller: OrganizationCaller): Promise<void> {
    return this.members.remove(caller, userId);
  }
}

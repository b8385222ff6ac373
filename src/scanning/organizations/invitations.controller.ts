import { Body, Controller, Delete, Param, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { OrganizationAccess } from '../../platform/auth/access.js';
import { Member, type OrganizationCaller } from '../../platform/auth/organization-caller.js';
import { RecentLogin } from '../../platform/auth/recent-login.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { InvitationsService } from './invitations.service.js';
import { Invitation, InvitationCreate, InvitationPath } from './invitations.dto.js';
import { OrganizationPath } from './organizations.dto.js';

@ApiTags('organizations')
@Controller('api/v1/organizations/:organizationId')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Post('members')
  @OrganizationAccess('admin')
  @RecentLogin()
  @Answers(
    201,
    Invitation,
    'Invite somebody to an organization',
    'Invites an account by its id or username, or any e-mail address. Invited people get a mail, and become ' +
      'members when they accept within 14 days. Somebody without an account first registers with the address and ' +
      'confirms it; the response does not say whether an account exists. Inviting again returns 200 and the same ' +
      'invitation with the new role, and sends no second mail. An invitation ends when the admin who sent it is no ' +
      'longer one.',
  )
  @ApiResponse({ status: 200, type: Invitation, description: 'They were already invited' })
  @Refuses({
    quota_exceeded: ['quota_exceeded'],
    conflict: ['already_a_member'],
    too_many_requests: ['rate_exceeded'],
  })
  async invite(
    @Param() _path: OrganizationPath,
    @Body() invited: InvitationCreate,
    @Member() caller: OrganizationCaller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Invitation> {
    const { invitation, created } = await this.invitations.invite(caller, invited);
    if (!created) response.status(200);
    return invitation;
  }

  @Delete('invitations/:invitationId')
  @OrganizationAccess('admin')
  @Answers(204, undefined, 'Revoke an invitation', 'It can no longer be accepted.')
  revoke(@Param() { invitationId }: InvitationPath, @Member() caller: OrganizationCaller): Promise<void> {
    return this.invitations.revoke(caller, invitationId);
  }
}

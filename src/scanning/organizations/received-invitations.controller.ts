import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CursorPaging } from '../../platform/http/cursor.js';
import { ReceivedInvitationPage, ReceivedInvitationPath } from './invitations.dto.js';
import { OrganizationMember } from './members.dto.js';
import { ReceivedInvitationsService } from './received-invitations.service.js';

@ApiTags('organizations')
@Controller('api/v1/users/me')
export class ReceivedInvitationsController {
  constructor(private readonly invitations: ReceivedInvitationsService) {}

  @Get('invitations')
  @Bearer()
  @Answers(
    200,
    ReceivedInvitationPage,
    'List the invitations that you received',
    'Invitations to organizations, newest first. One to your e-mail address appears once that address is ' +
      'confirmed. An invitation changes nothing until you accept it, and ends after 14 days.',
  )
  list(@Query() paging: CursorPaging, @Caller() caller: CallerIdentity): Promise<ReceivedInvitationPage> {
    return this.invitations.list(caller, paging);
  }

  @Post('invitations/:invitationId/accept')
  @Bearer()
  @Answers(
    200,
    OrganizationMember,
    'Accept an invitation',
    'You become a member of the organization with the role of the invitation; if you are already a member, your ' +
      'role stays. With several organizations, name one in the header `X-Organization-Id`.',
  )
  @Refuses({ not_found: ['not_found'] })
  accept(
    @Param() { invitationId }: ReceivedInvitationPath,
    @Caller() caller: CallerIdentity,
  ): Promise<OrganizationMember> {
    return this.invitations.accept(caller, invitationId);
  }

  @Post('invitations/:invitationId/decline')
  @Bearer()
  @Answers(204, undefined, 'Decline an invitation', 'It is deleted; the organization may send another one.')
  @Refuses({ not_found: ['not_found'] })
  decline(@Param() { invitationId }: ReceivedInvitationPath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.invitations.decline(caller, invitationId);
  }
}

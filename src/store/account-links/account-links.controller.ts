import { Body, Controller, Ip, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { Done, EmailConfirmation, ForgottenPassword, PasswordReset } from './account-links.dto.js';
import { EmailConfirmationService } from './email-confirmation.service.js';
import { EmailUndoService } from './email-undo.service.js';
import { ForgottenPasswordsService } from './forgotten-passwords.service.js';
import { PasswordResetService } from './password-reset.service.js';

// Unspecified: confirming addresses and setting forgotten passwords anew, by links in mails.
@ApiTags('auth')
@Controller('api/v1/auth')
export class AccountLinksController {
  constructor(
    private readonly confirmations: EmailConfirmationService,
    private readonly undos: EmailUndoService,
    private readonly forgotten: ForgottenPasswordsService,
    private readonly resets: PasswordResetService,
  ) {}

  @Post('email/confirm')
  @Public()
  @Answers(
    200,
    Done,
    'Confirm an e-mail address',
    'By the token of the link that was sent to it. The account shows `email_verified` then. Until a new address is confirmed, ' +
      'mails go to the confirmed one from before; links to set a new password go to confirmed addresses alone.',
  )
  @Refuses({ rule_broken: ['link_ended'] })
  confirm(@Body() { token }: EmailConfirmation): Promise<Done> {
    return this.confirmations.confirm(token);
  }

  @Post('email/undo')
  @Public()
  @Answers(
    200,
    Done,
    'Set an e-mail address back',
    'By the token of the link that went to the former address when the account got another one: within seven days, also ' +
      'where the new one was confirmed. All devices are signed out, and a link to set a new password goes to the address.',
  )
  @Refuses({ rule_broken: ['link_ended'], conflict: ['email_taken'] })
  undo(@Body() { token }: EmailConfirmation): Promise<Done> {
    return this.undos.undo(token);
  }

  @Post('email/resend')
  @Bearer()
  @Answers(202, Done, 'Ask for another link to confirm your address', 'It goes to the address of the account.')
  @Refuses({ conflict: ['already_confirmed'], too_many_requests: ['rate_exceeded'] })
  resend(@Caller() caller: CallerIdentity): Promise<Done> {
    return this.confirmations.resend(caller);
  }

  @Post('password/forgot')
  @Public()
  @Answers(
    202,
    Done,
    'Ask for a link to set a new password',
    'The answer is the same whether or not an account has the address. One that is not confirmed gets a link to confirm it ' +
      'first.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  forgot(@Body() wish: ForgottenPassword, @Ip() ip: string): Promise<Done> {
    return this.forgotten.forgot(wish, ip);
  }

  @Post('password/reset')
  @Public()
  @Answers(
    200,
    Done,
    'Set a new password by a link',
    'The token of the link serves once, within 30 minutes. All access tokens of the account end; two-factor login ' +
      'stays as it is.',
  )
  @Refuses({ rule_broken: ['link_ended'], too_many_requests: ['busy'] })
  reset(@Body() reset: PasswordReset, @Ip() ip: string): Promise<Done> {
    return this.resets.reset(reset, ip);
  }
}

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
    'Takes the token of the link that was sent to the address; the account then has `email_verified`. Until a new ' +
      'address is confirmed, mail goes to the previous confirmed one. Links to set a new password go only to ' +
      'confirmed addresses.',
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
    'Restore an e-mail address',
    'Takes the token of the link that went to the former address when it was changed; valid for seven days, even ' +
      'if the new address was confirmed. Signs out all devices, and sends a link to set a new password to the ' +
      'restored address.',
  )
  @Refuses({ rule_broken: ['link_ended'], conflict: ['email_taken'] })
  undo(@Body() { token }: EmailConfirmation): Promise<Done> {
    return this.undos.undo(token);
  }

  @Post('email/resend')
  @Bearer()
  @Answers(202, Done, 'Ask for another link to confirm your address', 'The link goes to the address of the account.')
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
    'The response is the same whether or not an account has the address. An address that is not confirmed gets a ' +
      'link to confirm it first.',
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
    'Set a new password with the token of a link',
    'The token works once, within 30 minutes. Ends all access tokens of the account; two-factor login stays as it is.',
  )
  @Refuses({ rule_broken: ['link_ended'], too_many_requests: ['busy'] })
  reset(@Body() reset: PasswordReset, @Ip() ip: string): Promise<Done> {
    return this.resets.reset(reset, ip);
  }
}

import { Injectable } from '@nestjs/common';
import { Passwords } from '../../platform/crypto/passwords.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountMails } from '../account-mail/account-mails.js';
import { MailTokensService } from '../account-mail/mail-tokens.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { AccountStateService } from '../users/account-state.service.js';
import { LoginAttempts } from '../users/login-attempts.js';
import { PasswordRules } from '../users/password-rules.js';
import type { Done, PasswordReset } from './account-links.dto.js';
import { linkEnded } from './link-ended.js';

/** Sets a new password for an account whose owner forgot theirs, by a link that was mailed to its address. */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly tokens: MailTokensService,
    private readonly mails: AccountMails,
    private readonly accountState: AccountStateService,
    private readonly passwords: Passwords,
    private readonly rules: PasswordRules,
    private readonly sessions: SessionsService,
    private readonly attempts: LoginAttempts,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Sets a new password by a link, once, and ends all sessions and tokens of the account; two-factor login stays. `RuleBroken`
   * for a link that is no longer valid, `Invalid` for a password that is easily guessed.
   */
  async reset({ token, new_password }: PasswordReset, ip: string | undefined): Promise<Done> {
    // Hashing is expensive, so only a valid link gets that far.
    const asked = await this.tokens.find('reset', token);
    if (!asked) throw linkEnded();
    await this.rules.assertGood('new_password', new_password, asked);
    const hash = await this.passwords.hash(new_password, { queue: 'change', address: limitedAddressOf(ip) });
    return this.unitOfWork.run(async () => {
      const holder = await this.tokens.redeem('reset', token);
      const account = holder && (await this.accountState.resetPassword(holder.user_id, holder.email, hash));
      if (!account) throw linkEnded();
      await this.sessions.endAll(account.id);
      await this.tokens.endLinksOf(account.id);
      await this.attempts.forget(account.id);
      await this.mails.passwordWasReset(account);
      return { message: 'The password is set: sign in with it' };
    });
  }
}

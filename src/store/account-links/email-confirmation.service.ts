import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Conflict } from '../../platform/errors/errors.js';
import { Rates } from '../../platform/quotas/rates.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountMails } from '../account-mail/account-mails.js';
import { MailTokensService } from '../account-mail/mail-tokens.service.js';
import { AddressChanges } from '../users/address-changes.js';
import { UsersService } from '../users/users.service.js';
import type { Done } from './account-links.dto.js';
import { linkEnded } from './link-ended.js';

/** Confirms addresses by the links that were mailed to them. */
@Injectable()
export class EmailConfirmationService {
  constructor(
    private readonly tokens: MailTokensService,
    private readonly mails: AccountMails,
    private readonly users: UsersService,
    private readonly addresses: AddressChanges,
    private readonly rates: Rates,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Marks the address that a link was mailed to as its account's owner's. `RuleBroken` for a link that is no longer valid. */
  confirm(token: string): Promise<Done> {
    return this.unitOfWork.run(async () => {
      const holder = await this.tokens.redeem('confirm', token);
      if (!holder || !(await this.addresses.confirm(holder.user_id, holder.email))) throw linkEnded();
      return { message: 'The address is confirmed' };
    });
  }

  /**
   * Mails the caller another link to confirm their address. `Conflict` where it is already confirmed, `RateExceeded`
   * after too many.
   */
  async resend(caller: CallerIdentity): Promise<Done> {
    const user = await this.users.me(caller);
    if (user.email_verified) throw new Conflict('The address is already confirmed', 'already_confirmed');
    await this.unitOfWork.run(async () => {
      await this.rates.take('accountMails', user.id);
      await this.mails.confirmAddress(user);
    });
    return { message: `We have sent a link to confirm it to ${user.email}` };
  }
}

import { Injectable } from '@nestjs/common';
import { userActor } from '../../audit/audit-actor.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Rates } from '../../quotas/rates.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountMails } from '../account-mail/account-mails.js';
import { MailTokensService } from '../account-mail/mail-tokens.service.js';
import { UsersRepository } from './users.repository.js';
import type { User } from './users.shapes.js';

/** Changes and confirms the addresses of accounts, and mails links to those who forgot the password. */
@Injectable()
export class AddressChanges {
  constructor(
    private readonly repository: UsersRepository,
    private readonly mails: AccountMails,
    private readonly tokens: MailTokensService,
    private readonly rates: Rates,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Runs `write`, which sets an account's address to `email`, and mails both addresses if that is a new one, which then needs
   * confirmation. Links that were mailed to the former one become invalid.
   */
  change(id: string, email: string, write: () => Promise<User | null>): Promise<User | null> {
    return this.unitOfWork.run(async () => {
      const former = await this.repository.lockEmail(id);
      const user = await write();
      if (!user || !former || former.email.toLowerCase() === email.toLowerCase()) return user;
      await this.audit.record({ action: 'user.email_changed', subject: { id }, changes: { email: { changed: true } } });
      await this.tokens.endAllOf(id);
      // Changing addresses to and fro must not fill the mailboxes of strangers; an owner with a confirmed address always
      // gets the mail.
      const mayAsk = await this.mayAsk(id);
      if (former.email_verified || mayAsk) await this.mails.addressChanged(user, former.email);
      if (mayAsk) await this.mails.confirmAddress(user);
      return user;
    });
  }

  /** Marks an account's address, if it is still this one, as its owner's; returns whether it is. */
  async confirm(userId: string, email: string): Promise<boolean> {
    const confirmed = await this.repository.confirmEmail(userId, email);
    const actor = userActor(userId);
    if (confirmed) await this.audit.record({ action: 'user.email_confirmed', subject: { id: userId }, actor });
    return confirmed;
  }

  /** Mails a link to set a new password to the account of an address, if there is one that has not had too many lately. */
  sendPasswordLink(email: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const account = await this.repository.lockByEmail(email);
      if (account && (await this.mayAsk(account.id))) await this.mails.resetPassword(account);
    });
  }

  /** Counts a mail with a link to an account; returns whether it may have one more. */
  private mayAsk(userId: string): Promise<boolean> {
    return this.rates.mayTake('accountMails', userId);
  }
}

import { Injectable } from '@nestjs/common';
import { userActor } from '../../platform/audit/audit-actor.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { RecentLogins } from '../../platform/auth/recent-login.js';
import { Conflict } from '../../platform/errors/errors.js';
import { refuseViolations } from '../../database/refuse-violations.js';
import { Rates } from '../../platform/quotas/rates.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AccountMails } from '../account-mail/account-mails.js';
import type { MailTokenHolder } from '../account-mail/mail-tokens.repository.js';
import { MailTokensService } from '../account-mail/mail-tokens.service.js';
import { type LockedEmail, UsersRepository } from './users.repository.js';
import type { User } from './users.dto.js';

export const addressTaken = {
  users_email_key: () =>
    new Conflict(
      'There is already an account with this e-mail address: sign in, or use another address',
      'email_taken',
    ),
};

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Changes and confirms the addresses of accounts, and mails links to those who forgot the password. */
@Injectable()
export class AddressChanges {
  constructor(
    private readonly repository: UsersRepository,
    private readonly mails: AccountMails,
    private readonly tokens: MailTokensService,
    private readonly rates: Rates,
    private readonly recentLogins: RecentLogins,
    private readonly audit: AuditLog,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Runs `write`, which sets an account's address to `email`, and mails both addresses if that is a new one. It counts
   * for nothing until it is confirmed: mails go to the confirmed address from before, which gets a link to set it back.
   * Other links that were mailed become invalid. Under `hardened` it takes a recent login.
   */
  change(caller: CallerIdentity, email: string, write: () => Promise<User | null>): Promise<User | null> {
    const { id } = caller;
    return this.unitOfWork.run(async () => {
      const former = await this.repository.lockEmail(id);
      const isAnother = former !== null && !isSame(former.email, email);
      if (isAnother) this.recentLogins.assertUnderHardened(caller);
      const user = await write();
      if (!user || !isAnother) return user;
      await this.assertFree(email, id);
      await this.tokens.endLinksOf(id);
      await this.audit.record({ action: 'user.email_changed', subject: { id }, changes: { email: { changed: true } } });
      await this.mailBoth(user, former);
      return user;
    });
  }

  /** Marks an account's address, if it is still this one, as its owner's; returns whether it is. */
  async confirm(userId: string, email: string): Promise<boolean> {
    if (!(await this.repository.confirmEmail(userId, email))) return false;
    await this.audit.record({ action: 'user.email_confirmed', subject: { id: userId }, actor: userActor(userId) });
    return true;
  }

  /**
   * Sets an account's address back to the one to which the link was mailed; returns the account, or null if it is gone.
   * `Conflict` where another account has the address by now.
   */
  async restore({ user_id, email }: MailTokenHolder): Promise<User | null> {
    const replaced = await this.repository.lockEmail(user_id);
    const user = replaced && (await refuseViolations(this.repository.restoreEmail(user_id, email), addressTaken));
    if (!user) return null;
    await this.audit.record({ action: 'user.email_restored', subject: { id: user_id }, actor: userActor(user_id) });
    await this.mails.addressSetBack(user);
    if (replaced.email_verified && !isSame(replaced.email, email)) {
      const { id, username } = user;
      await this.mails.addressTakenBack({ id, username, email: replaced.email });
    }
    return user;
  }

  /** Throws `Conflict` if the owner of another account may still set its address back to this one. */
  async assertFree(email: string, exceptTo: string): Promise<void> {
    // Unspecified: an address that an account has left. It stays reserved as long as it may be set back, else somebody
    // could keep its owner from that by registering with it.
    if (await this.tokens.isPromised(email, exceptTo)) throw addressTaken.users_email_key();
  }

  /**
   * Mails a link to set a new password to the account of an address, if there is one that has not had too many lately;
   * a link to confirm the address where that has not happened yet.
   */
  sendPasswordLink(email: string): Promise<void> {
    return this.unitOfWork.run(async () => {
      const account = await this.repository.lockByEmail(email);
      if (!account || !(await this.mayAsk(account.id))) return;
      await (account.is_confirmed ? this.mails.resetPassword(account) : this.mails.confirmBeforeReset(account));
    });
  }

  private async mailBoth(user: User, former: LockedEmail): Promise<void> {
    const confirmed = former.email_verified ? former.email : former.former_email;
    const told = confirmed ?? former.email;
    // Changing addresses to and fro must not fill the mailboxes of strangers; but each confirmed address, and the first
    // one that is not, gets a way back, whatever other mails were sent.
    const mayAsk = await this.mayAsk(user.id);
    const isOwed = !(await this.tokens.hasWayBack(user.id, confirmed));
    // Unspecified: an address that was never confirmed. It gets a way back too, since most owners never confirm theirs.
    if (!isSame(told, user.email) && (mayAsk || isOwed)) await this.mails.addressChanged(user, told);
    if (mayAsk && !user.email_verified) await this.mails.confirmAddress(user);
  }

  /** Counts a mail with a link to an account; returns whether it may have one more. */
  private mayAsk(userId: string): Promise<boolean> {
    return this.rates.mayTake('accountMails', userId);
  }
}

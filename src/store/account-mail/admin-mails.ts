import { Injectable } from '@nestjs/common';
import { greeting } from '../../platform/mail/header-text.js';
import type { MailBlock } from '../../platform/mail/mail.js';
import type { MailKind, MailValues } from '../../platform/mail/mail-kinds.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Rates } from '../../platform/quotas/rates.js';
import { MailedAccountsRepository } from './mailed-accounts.repository.js';

const mostAdmins = 20;

/** What a mail to the admins says after the greeting. */
export interface AdminNotice<Kind extends MailKind> {
  kind: Kind;
  values: MailValues<Kind>;
  subject: string;
  blocks: MailBlock[];
}

/** Mails the admins of the shop about the service itself, in the unit of work of what happened. */
@Injectable()
export class AdminMails {
  constructor(
    private readonly accounts: MailedAccountsRepository,
    private readonly mailer: Mailer,
    private readonly rates: Rates,
  ) {}

  async send<Kind extends MailKind>({ kind, values, subject, blocks }: AdminNotice<Kind>): Promise<void> {
    if (!this.mailer.isOn) return;
    for (const { id, username, email, is_confirmed } of await this.accounts.admins(mostAdmins)) {
      // An unconfirmed address may be a stranger's.
      if (!is_confirmed && !(await this.rates.mayTake('accountMails', id))) continue;
      const to = { address: email, name: username };
      await this.mailer.send({
        kind,
        values,
        account: id,
        to,
        subject,
        blocks: [{ text: greeting(username) }, ...blocks],
      });
    }
  }
}

import { Injectable } from '@nestjs/common';
import { currentRequest } from '../../platform/http/current-request.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { greeting } from '../../platform/mail/header-text.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { Rates } from '../../platform/quotas/rates.js';
import { MailedAccountsRepository } from './mailed-accounts.repository.js';
import type { MailValues } from '../../platform/mail/mail-kinds.js';
import type { SecurityMailKind, SecurityNotice } from './security-notices.js';

/** Mails owners what happened to the security of their accounts, in the unit of work of the change. */
@Injectable()
export class SecurityMails {
  constructor(
    private readonly repository: MailedAccountsRepository,
    private readonly mailer: Mailer,
    private readonly rates: Rates,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Queues the mail to the owner of an account, at its confirmed address if it has one; nobody where the account is gone. */
  async send<Kind extends SecurityMailKind>(userId: string, notice: SecurityNotice<Kind>): Promise<void> {
    const { kind, values, subject, text, remedy } = notice;
    if (!this.mailer.isOn) return;
    await this.unitOfWork.run(async () => {
      const account = await this.repository.byId(userId);
      if (!account) return;
      const { id, username, email, is_confirmed } = account;
      // An unconfirmed address may be a stranger's: changes to and fro must not fill their mailbox.
      if (!is_confirmed && !(await this.rates.mayTake('accountMails', id))) return;
      const details = rowsOf();
      await this.mailer.send({
        kind,
        values: { ...values, details } as unknown as MailValues<Kind>,
        account: id,
        to: { address: email, name: username },
        subject,
        blocks: [
          { text: greeting(username) },
          { text },
          { rows: details },
          { text: `If that was you, there is nothing to do. If it was not, ${remedy}.` },
        ],
      });
    });
  }
}

/** When and from where. */
function rowsOf(): [string, string][] {
  const ip = currentRequest()?.request.ip;
  return [
    ['Time', `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`],
    ...(ip === undefined ? [] : [['Address', ip] as [string, string]]),
  ];
}

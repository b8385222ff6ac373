import { Injectable } from '@nestjs/common';
import { SecretBox } from '../crypto/secret-box.js';
import { type Mail, MailAccounts } from './mail.js';
import { type QueuedMail, sealedMailPlace, type UnwordedMail } from './mail-task.js';
import { MailWriters } from './mail-writers.js';

/** Reads mails out of the queue: sealed ones as they are, others as their subject is now. */
@Injectable()
export class QueuedMails {
  constructor(
    private readonly box: SecretBox,
    private readonly writers: MailWriters,
    private readonly accounts: MailAccounts,
  ) {}

  /** A mail of the queue; null if it has become useless, or its account is gone. */
  async read(queued: QueuedMail | UnwordedMail): Promise<Mail | null> {
    const mail = 'sealed' in queued ? this.opened(queued) : await this.writers.write(queued.kind, queued.about);
    return mail && (await this.isWanted(mail)) ? mail : null;
  }

  private opened({ id, sealed }: QueuedMail): Mail {
    const mail = JSON.parse(this.box.open(sealed, sealedMailPlace(id))) as Mail & { usefulUntil?: string };
    return { ...mail, ...(mail.usefulUntil ? { usefulUntil: new Date(mail.usefulUntil) } : {}) };
  }

  private async isWanted({ account, usefulUntil }: Mail): Promise<boolean> {
    if (usefulUntil && usefulUntil.getTime() <= Date.now()) return false;
    return account === undefined || this.accounts.exists(account);
  }
}

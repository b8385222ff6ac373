import { Injectable } from '@nestjs/common';
import type { Mail } from './mail.js';
import type { MailKind } from './mail-kinds.js';

/** Words the mail about something at the time of sending; null if there is nothing left to report. */
export type MailWriter<Kind extends MailKind = MailKind> = (about: string) => Promise<Mail<Kind> | null>;

/** Writers of mails of which a statement queued only the subject. Modules add theirs at the start. */
@Injectable()
export class MailWriters {
  private readonly writers = new Map<string, MailWriter>();

  add<Kind extends MailKind>(kind: Kind, writer: MailWriter<Kind>): void {
    if (this.writers.has(kind)) throw new Error(`Two writers are registered for mails of the kind ${kind}`);
    this.writers.set(kind, writer);
  }

  /** `kind` comes from the queue, where a later version of the service may have put it. */
  write(kind: string, about: string): Promise<Mail | null> {
    const writer = this.writers.get(kind);
    if (!writer) throw new Error(`No writer is registered for mails of the kind ${kind}`);
    return writer(about);
  }
}

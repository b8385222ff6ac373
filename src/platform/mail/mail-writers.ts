import { Injectable } from '@nestjs/common';
import type { Mail } from './mail.js';

/** Words the mail about something at the time of sending; null if there is nothing left to report. */
export type MailWriter = (about: string) => Promise<Mail | null>;

/** Writers of mails of which a statement queued only the subject. Modules add theirs at the start. */
@Injectable()
export class MailWriters {
  private readonly writers = new Map<string, MailWriter>();

  add(kind: string, writer: MailWriter): void {
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

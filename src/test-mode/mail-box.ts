import type { Message } from '../platform/mail/mail.js';
import { MailTransport } from '../platform/mail/mail-transport.js';

/** More than a suite sends between two resets. */
const most = 1_000;

/** Keeps the mails that would go out. */
export class MailBox extends MailTransport {
  private mails: Message[] = [];

  deliver(message: Message): Promise<void> {
    // A mail that is tried again is the same one.
    this.mails = [message, ...this.mails.filter(({ id }) => id !== message.id)].slice(0, most);
    return Promise.resolve();
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  /** The newest first; those to an address, without case. */
  find(to: string | undefined): Message[] {
    if (to === undefined) return this.mails;
    return this.mails.filter(({ to: { address } }) => address.toLowerCase() === to.toLowerCase());
  }

  empty(): void {
    this.mails = [];
  }
}

import type { Message } from './mail.js';

/** Takes mails away. */
export abstract class MailTransport {
  /** Resolves once somebody else is responsible for the mail. Throws `MailRefused` for one that nobody will ever take. */
  abstract deliver(message: Message, signal: AbortSignal): Promise<void>;
}

/** A mail that would be refused at every attempt. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

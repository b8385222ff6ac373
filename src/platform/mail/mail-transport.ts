import type { Message } from './mail.js';

/** Hands mails over to a mail server or a folder. */
export abstract class MailTransport {
  /** Resolves once the mail is accepted. Throws `MailRefused` for a mail that is refused for good. */
  abstract deliver(message: Message, signal: AbortSignal): Promise<void>;

  /** Throws where mails would not be accepted: the server is away, or refuses the login. */
  abstract check(): Promise<void>;
}

/** A mail that would be refused at every attempt. */
export class MailRefused extends Error {
  override name = 'MailRefused';
}

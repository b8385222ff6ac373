import type { SmtpServer } from '../../config/mail-settings.js';
import type { Message } from './mail.js';
import { MailRefused, MailTransport } from './mail-transport.js';
import { toNodemailer } from './nodemailer-message.js';

/** The time limit for accepting the connection, for the greeting, and between two answers. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 };
/** The time limit for a whole mail. */
const mailTimeoutMs = 90_000;

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/**
 * Whether the server will never take this mail. A 5xx before the recipient is named is about the service's own login or
 * sender, which its operator can correct: such mails wait.
 */
function isRefusal({ code, command, responseCode = 0 }: SmtpError): boolean {
  const aboutTheMail = command === 'RCPT TO' || command === 'DATA';
  const impossible = code === 'EENVELOPE' && command === 'API';
  return impossible || (aboutTheMail && responseCode >= 500 && responseCode < 600);
}

/** Hands mails to a mail server, each over a connection of its own: none is sent twice because a shared one broke. */
export class SmtpTransport extends MailTransport {
  constructor(private readonly server: SmtpServer) {
    super();
  }

  async deliver(message: Message, signal: AbortSignal): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(this.options());
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(mailTimeoutMs)]);
    try {
      await transport.sendMail({ ...toNodemailer(message), signal: deadline });
    } catch (error) {
      if (isRefusal(error as SmtpError)) throw new MailRefused((error as Error).message);
      throw error;
    } finally {
      transport.close();
    }
  }

  async check(): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport(this.options());
    try {
      await transport.verify();
    } finally {
      transport.close();
    }
  }

  private options() {
    const { host, port, secure, requireTls, ignoreTls, anyCertificate, user, password, clientName } = this.server;
    return {
      host,
      port,
      secure,
      requireTLS: requireTls,
      ignoreTLS: ignoreTls,
      ...(anyCertificate ? { tls: { rejectUnauthorized: false } } : {}),
      ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
      ...(clientName === undefined ? {} : { name: clientName }),
      ...timeouts,
    };
  }
}

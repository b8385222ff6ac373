import { access, constants, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Message } from './mail.js';
import { MailTransport } from './mail-transport.js';
import { toNodemailer } from './nodemailer-message.js';

const mostKept = 200;

/** Mails as files in a folder, if there is no mail server: the newest ones, readable only by this user. */
export class EmlFolder extends MailTransport {
  constructor(
    private readonly folder: string,
    private readonly logger: Logger,
  ) {
    super();
  }

  async deliver(message: Message): Promise<void> {
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({ streamTransport: true, buffer: true });
    const { message: bytes } = (await transport.sendMail(toNodemailer(message))) as { message: Buffer };
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const file = join(this.folder, nameOf(message));
    // So that the folder never shows half a mail.
    const draft = `${file}.${process.pid}.part`;
    await writeFile(draft, bytes, { mode: 0o600 });
    await rename(draft, file);
    await this.removeOldest();
    this.logger.info(
      { kind: message.kind, file, links: message.links },
      'mail written to a file, since SMTP_URL is not set',
    );
  }

  async check(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await access(this.folder, constants.W_OK);
  }

  private async removeOldest(): Promise<void> {
    const names = (await readdir(this.folder)).filter((name) => /\.(eml|part)$/.test(name)).sort();
    const old = names.slice(0, Math.max(0, names.length - mostKept));
    await Promise.all(old.map((name) => rm(join(this.folder, name), { force: true })));
  }
}

/** Sorts by time; the same at every attempt. */
function nameOf({ date, kind, id }: Message): string {
  const time = date.toISOString().replace(/[-:]/g, '').replace('.', '-');
  return `${time}-${kind}-${id}.eml`.replace(/[^\w.-]/g, '_');
}

import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { SecretBox } from '../crypto/secret-box.js';
import { uuidV7 } from '../crypto/uuid-v7.js';
import { JobQueue } from '../jobs/job-queue.js';
import type { Mail } from './mail.js';
import type { MailKind } from './mail-kinds.js';
import { mailTask, type QueuedMail, sealedMailPlace } from './mail-task.js';
import { MailTransport } from './mail-transport.js';

/** Sends mails, by way of the job queue. */
@Injectable()
export class Mailer implements OnApplicationBootstrap {
  constructor(
    private readonly queue: JobQueue,
    private readonly box: SecretBox,
    @Inject(MailTransport) private readonly transport: MailTransport | null,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (this.isOn) await this.queue.prepare(mailTask);
  }

  /** Whether mails are sent. In production without SMTP_URL none are queued. */
  get isOn(): boolean {
    return this.transport !== null;
  }

  /** Throws where the mail server is away or refuses the login. */
  async check(): Promise<void> {
    await this.transport?.check();
  }

  /**
   * Queues a mail in the current unit of work: the queue sends it once after the commit, and retries where that failed.
   */
  async send<Kind extends MailKind>(mail: Mail<Kind>): Promise<void> {
    if (!this.isOn) return;
    const id = uuidV7();
    const sealed = this.box.seal(JSON.stringify(mail), sealedMailPlace(id));
    const queued: QueuedMail = { id, at: new Date().toISOString(), sealed };
    await this.queue.add(mailTask, { ...queued });
  }
}

import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import type { Logger } from 'pino';
import { uuidV7 } from '../crypto/uuid-v7.js';
import { Metrics } from '../http/metrics.js';
import { serviceLogger } from '../http/request-log.js';
import { Settings } from '../../config/settings.js';
import { JobRunner } from '../jobs/job-runner.js';
import type { JobContext } from '../jobs/task.js';
import { inertText, onOneLine } from './header-text.js';
import { type Mail, MailShop, type Message } from './mail.js';
import { html, plainText } from './mail-layout.js';
import { mailTask, type QueuedMail, type UnwordedMail } from './mail-task.js';
import { MailTemplates } from './mail-templates.js';
import { MailRefused, MailTransport } from './mail-transport.js';
import { QueuedMails } from './queued-mails.js';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long a mail waits while requests use all of the process's time. */
const longestMs = 400;
/** The time over which the process's use is measured. */
const measuredMs = 100;

/** Delays mails while the process is busy, so that requests go first: a mail takes more time than the order it confirms. */
class MailPace {
  private reading = performance.eventLoopUtilization();
  private readAt = performance.now();
  private busy = 0;

  /** Waits longer the busier this process is. */
  async keep(): Promise<void> {
    const now = performance.now();
    if (now - this.readAt >= measuredMs) {
      const reading = performance.eventLoopUtilization();
      this.busy = performance.eventLoopUtilization(reading, this.reading).utilization;
      [this.reading, this.readAt] = [reading, now];
    }
    await sleep(longestMs * this.busy);
  }
}

const maxSubject = 150;
const maxName = 100;

/**
 * Sends the queued mails. The queue retries one, less and less often over four days, for as long as the mail server is away,
 * slow, or asks to come back; it drops a mail that the server refuses for good.
 */
@Injectable()
export class MailSender implements OnModuleInit {
  private readonly pace = new MailPace();
  private readonly counts = { sent: 0, refused: 0, failed: 0, given_up: 0 };

  constructor(
    private readonly jobs: JobRunner,
    private readonly mails: QueuedMails,
    private readonly settings: Settings,
    private readonly shop: MailShop,
    private readonly templates: MailTemplates,
    @Inject(MailTransport) private readonly transport: MailTransport | null,
    @Inject(serviceLogger) private readonly logger: Logger,
    metrics: Metrics,
  ) {
    metrics.countEach('mails_total', 'Attempts to send a mail, by their outcome', {
      labels: ['outcome'],
      look: () => Object.entries(this.counts).map(([outcome, value]) => ({ labels: [outcome], value })),
    });
  }

  onModuleInit(): void {
    const { transport } = this;
    // A node that cannot send leaves the mails to those that can.
    if (!transport) return;
    const handler = (payload: unknown, context: JobContext) =>
      this.send(payload as QueuedMail | UnwordedMail, transport, context);
    this.jobs.register(mailTask, handler, { queue: 'mail', deadlineSeconds: 120 });
  }

  /** Sends a mail now, past the queue; throws where the mail server does not take it. Does nothing where no mails are sent. */
  async sendNow(mail: Mail, signal: AbortSignal): Promise<void> {
    await this.transport?.deliver(await this.toMessage(uuidV7(), new Date(), mail), signal);
  }

  private async send(
    queued: QueuedMail | UnwordedMail,
    transport: MailTransport,
    { signal, lastTry }: JobContext,
  ): Promise<void> {
    await this.pace.keep();
    const { id, at } = queued;
    const mail = await this.mails.read(queued);
    if (!mail) return;
    const fields = { kind: mail.kind, mail: id };
    try {
      await transport.deliver(await this.toMessage(id, new Date(at), mail), signal);
      this.counts.sent += 1;
      this.logger.debug(fields, 'mail sent');
    } catch (error) {
      const { message } = error as Error;
      const isRefused = error instanceof MailRefused;
      this.counts[isRefused ? 'refused' : lastTry ? 'given_up' : 'failed'] += 1;
      if (isRefused) return this.logger.warn({ ...fields, reason: message }, 'mail refused');
      if (lastTry) this.logger.error({ ...fields, reason: message }, 'mail given up');
      throw error;
    }
  }

  private async toMessage(id: string, date: Date, mail: Mail): Promise<Message> {
    const { kind, to } = mail;
    const shop = await this.shop.current();
    const { name, address } = this.settings.mail.from;
    const worded = this.templates.word(mail, { shop: shop.name, name: inertText(to.name, maxName) });
    const { subject, blocks } = worded ?? mail;
    const shortSubject = onOneLine(subject, maxSubject);
    return {
      id,
      kind,
      date,
      from: { address, name: onOneLine(name ?? shop.name, maxName) },
      to: { address: to.address, name: onOneLine(to.name, maxName) },
      subject: shortSubject,
      text: plainText(blocks, shop),
      html: worded?.html ?? html(blocks, shortSubject, shop),
      links: blocks.flatMap((block) => ('button' in block ? [block.button.url] : [])),
    };
  }
}

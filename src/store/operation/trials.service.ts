import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Mailer } from '../../platform/mail/mailer.js';
import { MailSender } from '../../platform/mail/mail-sender.js';
import { WebhookTestsService } from '../webhooks/webhook-tests.service.js';
import { WebhooksService } from '../webhooks/webhooks.service.js';
import type { CheckState } from './operation.dto.js';

const patienceMs = 60_000;

/** What became of something that was tried. */
export interface Trial {
  name: string;
  state: CheckState;
  message: string;
}

/** Tries what a look cannot tell: sends a mail, and a sample to each webhook of the shop. */
@Injectable()
export class TrialsService {
  constructor(
    private readonly mailer: Mailer,
    private readonly sender: MailSender,
    private readonly webhooks: WebhooksService,
    private readonly tests: WebhookTestsService,
    private readonly settings: Settings,
  ) {}

  /** Tries all of it. Receivers get samples with `"test": true`. */
  async all(): Promise<Trial[]> {
    return [await this.mail(), ...(await this.receivers())];
  }

  private async mail(): Promise<Trial> {
    const { from, smtp } = this.settings.mail;
    if (!this.mailer.isOn) return { name: 'send a mail', state: 'off', message: 'No mails are sent: set SMTP_URL' };
    try {
      await this.sender.sendNow(
        {
          kind: 'trial',
          values: {},
          to: { address: from.address, name: '' },
          subject: 'A trial of the mails',
          blocks: [{ text: 'This mail was sent by npm start -- --doctor. That you read it means that mails arrive.' }],
        },
        AbortSignal.timeout(patienceMs),
      );
    } catch (error) {
      const message = `The mail server did not take a mail to ${from.address}: ${(error as Error).message}`;
      return { name: 'send a mail', state: 'failed', message };
    }
    return smtp
      ? {
          name: 'send a mail',
          state: 'ok',
          message: `The mail server took one to ${from.address}: see that it arrives`,
        }
      : { name: 'send a mail', state: 'warning', message: 'It went into the folder mail of DATA_DIR: set SMTP_URL' };
  }

  private async receivers(): Promise<Trial[]> {
    const enabled = (await this.webhooks.list()).filter((webhook) => webhook.enabled);
    if (enabled.length === 0) {
      return [{ name: 'send a webhook', state: 'off', message: 'The shop has no webhook that is enabled' }];
    }
    return Promise.all(enabled.map(({ id, url }) => this.receiver(id, url)));
  }

  private async receiver(id: string, url: string): Promise<Trial> {
    try {
      const { delivered, status_code, error, duration_ms } = await this.tests.send(id);
      return {
        name: 'send a webhook',
        state: delivered ? 'ok' : 'failed',
        message: delivered
          ? `${url} answered with ${status_code} after ${duration_ms} ms`
          : `${url} did not take a sample (${error ?? status_code}): look at the receiver`,
      };
    } catch (error) {
      return { name: 'send a webhook', state: 'failed', message: `${url}: ${(error as Error).message}` };
    }
  }
}

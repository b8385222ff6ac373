import { Injectable } from '@nestjs/common';

/** A request that came to the receiver. */
export interface ReceivedWebhook {
  name: string;
  at: Date;
  headers: Record<string, string>;
  /** As it was sent: signatures are of these bytes. */
  body: string;
}

const most = 200;

/** Keeps what webhooks bring to the receiver of test mode. */
@Injectable()
export class ReceivedWebhooks {
  private received: ReceivedWebhook[] = [];

  add(webhook: ReceivedWebhook): void {
    this.received = [webhook, ...this.received].slice(0, most);
  }

  /** The newest first; those of a name. */
  find(name: string | undefined): ReceivedWebhook[] {
    return this.received.filter((one) => name === undefined || one.name === name);
  }

  empty(): void {
    this.received = [];
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { DeliverySender } from '../../platform/delivery/delivery-sender.js';
import { sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import type { DeliveryUser, DueDelivery, DueJob } from '../../platform/delivery/delivery-user.js';
import { receiverFlags } from '../../platform/delivery/receivers.js';
import { EventFeed } from '../events/event-feed.js';
import type { NumberedEvent } from '../events/store-events.repository.js';
import { bodyOf, bytesOf, shopSender } from './webhook-bodies.js';
import { isOfWebhook, mayGet, webhookTask } from './webhook-deliveries.statements.js';
import { type NewWebhookDelivery, WebhookDeliveriesRepository } from './webhook-deliveries.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksRepository } from './webhooks.repository.js';
import { WebhooksService } from './webhooks.service.js';

/** Sends new events to the webhooks that ask for them, each event to each once. */
@Injectable()
export class WebhookSending implements DeliveryUser, OnModuleInit {
  readonly task = webhookTask;
  readonly isOwn = isOfWebhook;

  constructor(
    private readonly repository: WebhookDeliveriesRepository,
    private readonly webhooks: WebhooksRepository,
    private readonly service: WebhooksService,
    private readonly secrets: WebhookSecrets,
    private readonly box: SecretBox,
    private readonly feed: EventFeed,
    private readonly sender: DeliverySender,
  ) {}

  onModuleInit(): void {
    this.sender.add(this);
    this.feed.add((events) => this.fanOut(events));
  }

  maySend(delivery: string): string {
    return mayGet(delivery);
  }

  async due({ deliveryId, sequence }: DueJob): Promise<DueDelivery | null> {
    const due = await this.repository.due(deliveryId, sequence);
    if (!due) return null;
    const { id: messageId, failures, webhookId: id, enabled, sealed } = due;
    const receiver = enabled ? { id, parameters: this.secrets.open(id, sealed) } : null;
    return { messageId, failures, receiver, sender: shopSender, body: bodyOf(bytesOf(due, due)) };
  }

  lockReceiver(deliveryId: string): Promise<boolean> {
    return this.repository.lockWebhook(deliveryId);
  }

  succeeded(webhookId: string): Promise<void> {
    return this.webhooks.succeeded(webhookId);
  }

  failed(webhookId: string, reason: string | null): Promise<void> {
    return this.service.failed(webhookId, reason);
  }

  private async fanOut(events: NumberedEvent[]): Promise<void> {
    for (const { id: webhookId, events: wanted, customerData, sealed } of await this.webhooks.lockEnabled()) {
      const { url } = this.secrets.open(webhookId, sealed);
      const flags = receiverFlags({ sender: shopSender, url });
      const resources = customerData ? null : [];
      const deliveries = events
        .filter(({ type }) => wanted.includes(type))
        .map((event): NewWebhookDelivery => {
          const id = uuidV7();
          const urlSealed = this.box.seal(url, sealedUrlPlace(id));
          const payloadBytes = bytesOf(event, { seesCustomers: customerData }).length;
          return { id, webhookId, eventId: event.id, urlSealed, resources, payloadBytes, flags };
        });
      if (deliveries.length > 0) await this.repository.insert(deliveries);
    }
  }
}

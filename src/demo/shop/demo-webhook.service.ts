import { Injectable } from '@nestjs/common';
import { daysBefore, receiverSecret, receiverUrl } from '@store-service/demo';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import { EventFeed } from '../../store/events/event-feed.js';
import { storeEventTypes } from '../../store/events/store-event-types.js';
import { WebhookSecrets } from '../../store/webhooks/webhook-secrets.js';
import { demoIdAt } from '../demo-ids.js';
import { DemoRowsRepository } from '../demo-rows.repository.js';

const hoursAgo = 3;

/** The demo shop's webhook, to the receiver of `npm run demo:receiver`, and an event that it got. */
@Injectable()
export class DemoWebhookService {
  constructor(
    private readonly rows: DemoRowsRepository,
    private readonly feed: EventFeed,
    private readonly secrets: WebhookSecrets,
    private readonly box: SecretBox,
  ) {}

  /** Writes them, once the products are written. */
  async load(now: Date, [product]: Iterable<[name: string, id: number]>): Promise<void> {
    if (!product) return;
    const [name, productId] = product;
    const at = daysBefore(now, hoursAgo / 24);
    const idOf = (row: string): string => demoIdAt(`store ${row}`, at, now);
    const [eventId, webhookId, id] = [idOf('event'), idOf('webhook'), idOf('delivery')];
    const data = { product: { id: productId, name, stock: 5 }, threshold: 5 };
    await this.rows.insert('store_events', [{ id: eventId, type: 'stock.low', data, created_at: at }]);
    // Before there is a webhook to which it would be sent.
    while (await this.feed.passOnSome());
    const parameters = { url: receiverUrl, headers: [], secret: receiverSecret };
    const parameters_sealed = this.secrets.seal(webhookId, parameters);
    const dates = { created_at: at, updated_at: at };
    await this.rows.insert('store_webhooks', [
      { id: webhookId, events: storeEventTypes, customer_data: true, enabled: true, parameters_sealed, ...dates },
    ]);
    const delivery = { id, webhook_id: webhookId, event_id: eventId, status: 'DELIVERED', payload_bytes: 172 };
    const url_sealed = this.box.seal(receiverUrl, sealedUrlPlace(id));
    await this.rows.insert('webhook_deliveries', [
      { ...delivery, url_sealed, turn: 1, finished_at: at, created_at: at },
    ]);
    await this.rows.insert('webhook_attempts', [
      { delivery_id: id, number: 1, started_at: at, duration_ms: 12, status_code: 200, response: '200\n' },
    ]);
  }
}

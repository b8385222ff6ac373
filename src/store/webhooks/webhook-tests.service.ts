import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { uuidV7 } from '../../platform/crypto/uuid-v7.js';
import { Receivers } from '../../platform/delivery/receivers.js';
import { WebhookPost } from '../../platform/delivery/webhook-post.js';
import { Conflict, TooManyRequests } from '../../platform/errors/errors.js';
import { sampleEvent } from '../events/store-event-schemas.js';
import type { StoreEventType } from '../events/store-event-types.js';
import type { StoreEvent } from '../events/store-events.dto.js';
import { StoreEventsService } from '../events/store-events.service.js';
import type { StoreWebhookEntity } from './store-webhook.entity.js';
import { bodyOf, shopSender } from './webhook-bodies.js';
import { WebhookSecrets } from './webhook-secrets.js';
import type { PreviewedEvent, WebhookPreview, WebhookTest } from './webhooks.dto.js';
import { WebhooksService } from './webhooks.service.js';

/** A hanging receiver holds its place for long. */
const bounds = { atOnce: 4, waiting: 16, waitMs: 60_000 };
const retrySeconds = 15;
const busy = 'Too many deliveries to this receiver are in progress: try again in a few seconds';

/** Shows and sends what a webhook would get, so that admins can try a receiver before any event. */
@Injectable()
export class WebhookTestsService {
  private readonly semaphore = new FairSemaphore(bounds);

  constructor(
    private readonly webhooks: WebhooksService,
    private readonly events: StoreEventsService,
    private readonly secrets: WebhookSecrets,
    private readonly receivers: Receivers,
    private readonly post: WebhookPost,
  ) {}

  /** What a webhook would get: the newest event of each of its types, or a sample. `NotFound` if there is none. */
  async preview(id: string): Promise<WebhookPreview> {
    const { events, customerData: seesCustomers } = await this.webhooks.stored(id);
    const newest = new Map((await this.events.newestOf(events, { seesCustomers })).map((one) => [one.type, one]));
    const previewed = events.map((type): PreviewedEvent => {
      const event = newest.get(type) ?? (sampleEvent(type, { seesCustomers }) as StoreEvent);
      return { event, is_sample: !newest.has(type) };
    });
    return { events: previewed };
  }

  /**
   * Sends a sample with `"test": true` at its root once and returns the result; neither retries nor keeps it. `NotFound`,
   * `Conflict` for a webhook that is disabled, `TooManyRequests` where too many wait, or one waited for too long.
   */
  async send(id: string, type?: StoreEventType): Promise<WebhookTest> {
    const webhook = await this.webhooks.stored(id);
    if (!webhook.enabled) throw new Conflict('The webhook is disabled: enable it first', 'webhook_disabled');
    const sentence = 'Too many samples are being sent: try again in a few seconds';
    const refusal = () => new TooManyRequests(sentence, retrySeconds, 'tests_busy');
    return this.semaphore.run(() => this.sendTo(webhook, type), { refusal });
  }

  private async sendTo(
    { id, events, customerData: seesCustomers, sealed }: StoreWebhookEntity,
    type = events[0] ?? 'order.placed',
  ): Promise<WebhookTest> {
    const parameters = this.secrets.open(id, sealed);
    const slot = await this.receivers.acquire({ sender: shopSender, url: parameters.url });
    if (!slot) return { delivered: false, status_code: null, error: busy, duration_ms: 0, response: null };
    const started = Date.now();
    try {
      const body = bodyOf(Buffer.from(JSON.stringify(sampleEvent(type, { seesCustomers }))));
      const outcome = await this.post.send(uuidV7(), parameters, body, new AbortController().signal);
      const { delivered, statusCode: status_code, error, durationMs: duration_ms, response } = outcome;
      return { delivered, status_code, error, duration_ms, response };
    } finally {
      slot.release(Date.now() - started);
    }
  }
}

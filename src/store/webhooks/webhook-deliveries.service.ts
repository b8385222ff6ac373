import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { SecretBox } from '../../platform/crypto/secret-box.js';
import { deliveryStatuses, replayDays, sealedUrlPlace } from '../../platform/delivery/delivery-statuses.js';
import { receiverFlags } from '../../platform/delivery/receivers.js';
import { Conflict, found } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { type Page, pageOf, startOf } from '../../platform/http/cursor.js';
import { listed } from '../../database/filtered-statement.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { StoreWebhookEntity } from './store-webhook.entity.js';
import { bytesOf, shopSender } from './webhook-bodies.js';
import type {
  ReplayedWebhook,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookDeliveryPath,
  WebhookReplay,
} from './webhook-deliveries.dto.js';
import {
  type FlaggedWebhook,
  type StoredWebhookDelivery,
  WebhookDeliveriesRepository,
} from './webhook-deliveries.repository.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhooksService } from './webhooks.service.js';

const dayMs = 86_400_000;

/** Reads the log of what webhooks got, and sends it again. */
@Injectable()
export class WebhookDeliveriesService {
  constructor(
    private readonly repository: WebhookDeliveriesRepository,
    private readonly webhooks: WebhooksService,
    private readonly secrets: WebhookSecrets,
    private readonly box: SecretBox,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
  ) {}

  /** A page of a webhook's deliveries, newest first; `NotFound` if there is no such webhook. */
  async list(webhookId: string, given: WebhookDeliveryFilter): Promise<Page<WebhookDelivery>> {
    const { id } = await this.webhooks.stored(webhookId);
    const { size, cursor, status, since, until } = given;
    const query = {
      statuses: listed(status) ?? deliveryStatuses,
      since: since === undefined ? ('-infinity' as const) : new Date(since),
      until: until === undefined ? ('infinity' as const) : new Date(until),
    };
    const rows = await this.repository.page(id, startOf(cursor), size + 1, query);
    return pageOf(rows, size, (row) => this.toDelivery(row));
  }

  /** One delivery with its attempts; `NotFound` where the webhook has none of this id. */
  async get({ id, delivery_id }: WebhookDeliveryPath): Promise<WebhookDelivery> {
    return this.toDelivery(found(await this.repository.byId(id, delivery_id), 'Delivery'));
  }

  /** The exact bytes that a delivery sends; `NotFound` as `get`. */
  async payload({ id, delivery_id }: WebhookDeliveryPath): Promise<Buffer> {
    const event = found(await this.repository.payload(id, delivery_id), 'Delivery');
    return bytesOf(event, event);
  }

  /**
   * Sends a delivery again, with the same id and bytes and as many attempts as at first; `NotFound` as `get`, `Conflict` while
   * it is being sent or its webhook is disabled.
   */
  async replay({ id, delivery_id }: WebhookDeliveryPath): Promise<void> {
    await this.unitOfWork.run(async () => {
      const { underWay } = found(await this.repository.lock(id, delivery_id), 'Delivery');
      const webhook = await this.sending(id);
      if (underWay) {
        throw new Conflict('The delivery is being sent at the moment: wait until the attempt has ended', 'under_way');
      }
      await this.repository.replay(delivery_id, this.flagged(webhook));
      await this.audit.record({ action: 'webhook.delivery_replayed', subject: { id, name: delivery_id } });
    });
  }

  /**
   * Sends all deliveries of a webhook again that ended in one of these statuses since then; `Invalid` for more than 14 days,
   * `NotFound` for no webhook, `Conflict` where it is disabled.
   */
  async replayAll(webhookId: string, { since: given, statuses }: WebhookReplay): Promise<ReplayedWebhook> {
    const since = new Date(given);
    if (Date.now() - since.getTime() > replayDays * dayMs) {
      const msg = `Input should be at most ${replayDays} days ago`;
      throw Invalid.at(['body', 'since'], 'value_error', msg, given);
    }
    return this.unitOfWork.run(async () => {
      const webhook = await this.sending(webhookId);
      const replayed = await this.repository.replayAll(this.flagged(webhook), statuses, since);
      const after = { replayed: replayed || null, since: replayed ? since : null };
      const changes = changesOf({}, after, { shown: ['replayed', 'since'] });
      await this.audit.record({ action: 'webhook.deliveries_replayed', subject: { id: webhook.id }, changes });
      return { replayed };
    });
  }

  private async sending(webhookId: string): Promise<StoreWebhookEntity> {
    const webhook = await this.webhooks.stored(webhookId);
    if (!webhook.enabled) throw new Conflict('The webhook is disabled: enable it first', 'webhook_disabled');
    return webhook;
  }

  private flagged({ id, sealed }: StoreWebhookEntity): FlaggedWebhook {
    return { id, flags: receiverFlags({ sender: shopSender, url: this.secrets.open(id, sealed).url }) };
  }

  private toDelivery(row: StoredWebhookDelivery): WebhookDelivery {
    return {
      id: row.id,
      event_id: row.eventId,
      type: row.type,
      url: this.box.open(row.urlSealed, sealedUrlPlace(row.id)),
      status: row.status,
      payload_bytes: row.payloadBytes,
      created_at: row.createdAt,
      next_attempt_at: row.nextAttemptAt,
      attempt_count: row.attemptCount,
      attempts: row.attempts.map(({ number, startedAt, durationMs, statusCode, error, response }) => ({
        number,
        started_at: new Date(startedAt),
        duration_ms: durationMs,
        status_code: statusCode,
        error,
        response,
      })),
    };
  }
}

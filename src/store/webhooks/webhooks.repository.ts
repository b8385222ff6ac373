import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { cancelDeliveries } from '../../platform/delivery/deliveries.statements.js';
import { StockQuotas } from '../../platform/quotas/stock-quotas.js';
import { countUpTo } from '../../platform/quotas/stock-quotas.statements.js';
import { StoreWebhookEntity } from './store-webhook.entity.js';
import { webhookTask } from './webhook-deliveries.statements.js';

/** The shop as the holder of its webhooks. */
const shop = 'shop';

const count = statement('store-webhooks.count', countUpTo(`store_webhooks WHERE $1 = '${shop}'`));

/** Disables the webhook with reason $2 at once, or with reason $3 where it has failed for $4 without a success. */
const failed = `
  WITH before AS (SELECT id, enabled FROM store_webhooks WHERE id = $1 FOR NO KEY UPDATE)
  UPDATE store_webhooks w
     SET failing_since = coalesce(w.failing_since, now()),
         disabled_reason = CASE WHEN w.enabled
                                THEN coalesce($2, CASE WHEN w.failing_since < now() - $4::interval THEN $3 END)
                                ELSE w.disabled_reason END,
         enabled = w.enabled AND $2::text IS NULL AND coalesce(w.failing_since >= now() - $4::interval, true)
    FROM before
   WHERE w.id = before.id
  RETURNING before.enabled AS "wasEnabled", w.enabled, w.disabled_reason AS "disabledReason"`;

/** A webhook after a failure. */
export interface FailedWebhook {
  wasEnabled: boolean;
  enabled: boolean;
  disabledReason: string | null;
}

const cancel = cancelDeliveries(webhookTask, 'd.webhook_id = $1');

/** The receivers of the shop's events. */
@Injectable()
export class WebhooksRepository {
  constructor(
    private readonly database: Database,
    private readonly stockQuotas: StockQuotas,
    @InjectRepository(StoreWebhookEntity) private readonly webhooks: Repository<StoreWebhookEntity>,
  ) {}

  /** All of them, newest first; a quota bounds their number. */
  list(): Promise<StoreWebhookEntity[]> {
    return this.webhooks.find({ order: { createdAt: 'DESC', id: 'DESC' } });
  }

  /** Those that fail, or that the service disabled since they did. */
  failing(): Promise<StoreWebhookEntity[]> {
    return this.webhooks.find({
      where: [{ failingSince: Not(IsNull()) }, { disabledReason: Not(IsNull()) }],
      order: { failingSince: 'ASC', id: 'ASC' },
    });
  }

  /** Those that are enabled; nobody deletes them before the unit of work ends. */
  lockEnabled(): Promise<StoreWebhookEntity[]> {
    return this.webhooks.find({ where: { enabled: true }, order: { id: 'ASC' }, lock: { mode: 'for_key_share' } });
  }

  byId(id: string): Promise<StoreWebhookEntity | null> {
    return this.webhooks.findOneBy({ id });
  }

  /** A webhook, locked until the unit of work ends. */
  lock(id: string): Promise<StoreWebhookEntity | null> {
    return this.webhooks.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /** Writes a new webhook; `QuotaExceeded` where there are as many as there may be. */
  async insert(webhook: Partial<StoreWebhookEntity>): Promise<void> {
    await this.stockQuotas.within('webhooks', shop, count, () => this.webhooks.insert(webhook));
  }

  async update(id: string, changes: Partial<StoreWebhookEntity>): Promise<void> {
    await this.webhooks.update({ id }, changes);
  }

  async remove(id: string): Promise<void> {
    await this.webhooks.delete({ id });
  }

  /** Cancels what a locked webhook has yet to get. */
  async cancelDeliveries(id: string): Promise<void> {
    await this.database.execute(cancel, [id]);
  }

  async succeeded(id: string): Promise<void> {
    await this.webhooks.update({ id, failingSince: Not(IsNull()) }, { failingSince: null });
  }

  /**
   * Records a failure; disables the webhook with `reason` at once, or with `failingReason` where it has failed for longer than
   * `patience`. Null if it is gone.
   */
  failed(id: string, reason: string | null, failingReason: string, patience: string): Promise<FailedWebhook | null> {
    return this.database.row<FailedWebhook & Record<string, unknown>>(failed, [id, reason, failingReason, patience]);
  }
}

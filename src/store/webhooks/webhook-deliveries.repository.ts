import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import {
  deliveryColumns,
  newestDeliveries,
  queueAttempt,
  replayDeliveries,
} from '../../platform/delivery/deliveries.statements.js';
import type { DeliveryStatus } from '../../platform/delivery/delivery-statuses.js';
import type { CursorPosition } from '../../platform/http/cursor.js';
import { workerIsAlive } from '../../platform/jobs/jobs.statements.js';
import type { StoreEventType } from '../events/store-event-types.js';
import { webhookTask } from './webhook-deliveries.statements.js';

/** An event as a delivery carries it. */
export interface CarriedEvent {
  id: string;
  type: StoreEventType;
  createdAt: Date;
  data: Record<string, unknown>;
  customer: Record<string, unknown> | null;
  /** Whether the delivery has what is personal of the customer. */
  seesCustomers: boolean;
}

/** A delivery whose next attempt is due. */
export interface DueWebhook extends CarriedEvent {
  failures: number;
  webhookId: string;
  enabled: boolean;
  sealed: string;
}

/** A delivery to be made. */
export interface NewWebhookDelivery {
  id: string;
  webhookId: string;
  eventId: string;
  urlSealed: string;
  /** Null for all of the event, none for all but what is personal. */
  resources: string[] | null;
  payloadBytes: number;
  flags: string[];
}

interface StoredAttempt {
  number: number;
  /** A time as PostgreSQL writes it into JSON. */
  startedAt: string;
  durationMs: number | null;
  statusCode: number | null;
  error: string | null;
  response: string | null;
}

export interface StoredWebhookDelivery extends CursorPosition {
  eventId: string;
  type: StoreEventType;
  urlSealed: string;
  status: DeliveryStatus;
  payloadBytes: number;
  nextAttemptAt: Date | null;
  attemptCount: number;
  attempts: StoredAttempt[];
}

/** Narrows a list of deliveries. */
export interface WebhookDeliveryQuery {
  statuses: readonly DeliveryStatus[];
  since: Date | '-infinity';
  /** Exclusive. */
  until: Date | 'infinity';
}

/** A webhook with the flags of its receiver's jobs. */
export interface FlaggedWebhook {
  id: string;
  flags: readonly string[];
}

const insert = `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset($1::jsonb)
      AS d(id uuid, "webhookId" uuid, "eventId" uuid, "urlSealed" text, resources text[], "payloadBytes" bigint, flags text[])
  ), made AS (
    INSERT INTO webhook_deliveries
      (id, webhook_id, event_id, url_sealed, resources, payload_bytes, status, next_attempt_at)
    SELECT id, "webhookId", "eventId", "urlSealed", resources, "payloadBytes", 'PENDING', now() FROM given
    RETURNING id, turn
  )
  SELECT ${queueAttempt(webhookTask, 'made', { flags: 'given.flags' })} FROM made JOIN given ON given.id = made.id`;

const carried = `
  e.id, e.type, e.created_at AS "createdAt", e.data, e.customer, d.resources IS NULL AS "seesCustomers"`;

const due = `
  SELECT ${carried}, d.series_failures AS failures, w.id AS "webhookId", w.enabled, w.parameters_sealed AS sealed
    FROM webhook_deliveries d JOIN store_events e ON e.id = d.event_id JOIN store_webhooks w ON w.id = d.webhook_id
   WHERE d.id = $1 AND d.turn = $2 AND d.status IN ('PENDING', 'RETRYING')`;

const lockWebhook = `
  SELECT enabled FROM store_webhooks WHERE id = (SELECT webhook_id FROM webhook_deliveries WHERE id = $1) FOR NO KEY UPDATE`;

const columns = `
  d.event_id AS "eventId", (SELECT e.type FROM store_events e WHERE e.id = d.event_id) AS type, d.status,
  d.next_attempt_at AS "nextAttemptAt", ${deliveryColumns('a.response')}`;

export const listOfWebhook = statement(
  'store-deliveries.list',
  newestDeliveries('unnest($7::text[]) AS wanted(status)', 'd.webhook_id = $1', columns),
);

const byId = statement(
  'store-deliveries.by-id',
  `SELECT ${columns} FROM webhook_deliveries d WHERE d.webhook_id = $1 AND d.id = $2`,
);

const payload = `
  SELECT ${carried} FROM webhook_deliveries d JOIN store_events e ON e.id = d.event_id
   WHERE d.webhook_id = $1 AND d.id = $2`;

const lockDelivery = `
  SELECT d.claimed_by IS NOT NULL AND ${workerIsAlive('d.claimed_by')} AS "underWay"
    FROM webhook_deliveries d WHERE d.webhook_id = $1 AND d.id = $2 FOR NO KEY UPDATE`;

const replay = replayDeliveries(webhookTask, 'd.webhook_id', 'd.id = $2');

const replayAll = replayDeliveries(webhookTask, 'd.webhook_id', 'd.status = ANY ($2) AND d.finished_at >= $3');

/** The deliveries of the shop's webhooks. */
@Injectable()
export class WebhookDeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** Makes deliveries, each with the job of its first attempt. */
  async insert(deliveries: readonly NewWebhookDelivery[]): Promise<void> {
    await this.database.execute(insert, [JSON.stringify(deliveries)]);
  }

  due(deliveryId: string, sequence: number): Promise<DueWebhook | null> {
    return this.database.row<DueWebhook & Record<string, unknown>>(due, [deliveryId, sequence]);
  }

  /** Whether the webhook of a delivery may get something; it stays so to the end of the unit. */
  async lockWebhook(deliveryId: string): Promise<boolean> {
    return (await this.database.row<{ enabled: boolean }>(lockWebhook, [deliveryId]))?.enabled ?? false;
  }

  page(
    webhookId: string,
    after: readonly unknown[],
    limit: number,
    { statuses, since, until }: WebhookDeliveryQuery,
  ): Promise<StoredWebhookDelivery[]> {
    const values = [webhookId, ...after, limit, since, until, statuses];
    return this.database.rows<StoredWebhookDelivery & Record<string, unknown>>(listOfWebhook, values);
  }

  byId(webhookId: string, id: string): Promise<StoredWebhookDelivery | null> {
    return this.database.row<StoredWebhookDelivery & Record<string, unknown>>(byId, [webhookId, id]);
  }

  payload(webhookId: string, id: string): Promise<CarriedEvent | null> {
    return this.database.row<CarriedEvent & Record<string, unknown>>(payload, [webhookId, id]);
  }

  /** A delivery, locked: whether an attempt is in progress; null if there is none. */
  lock(webhookId: string, id: string): Promise<{ underWay: boolean } | null> {
    return this.database.row<{ underWay: boolean }>(lockDelivery, [webhookId, id]);
  }

  async replay(id: string, webhook: FlaggedWebhook): Promise<void> {
    await this.database.execute(replay, [JSON.stringify([webhook]), id]);
  }

  /** Replays the deliveries of a webhook that ended so since then; returns how many. */
  replayAll(webhook: FlaggedWebhook, statuses: readonly DeliveryStatus[], since: Date): Promise<number> {
    return this.database.execute(replayAll, [JSON.stringify([webhook]), statuses, since]);
  }
}

import { Injectable } from '@nestjs/common';
import type { CursorPosition } from '../../platform/http/cursor.js';
import { Database, statement } from '../../database/database.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';
import type { DeliveryStatus } from '../delivery-statuses.js';
import type { DeliveryAttempt } from './deliveries.dto.js';

/** The context in which the address of a delivery is sealed. */
export function sealedUrlPlace(deliveryId: string): string {
  return `webhook-delivery:${deliveryId}`;
}

type StoredAttempt = Omit<DeliveryAttempt, 'startedAt'> & { startedAt: string };

export interface StoredDelivery extends CursorPosition {
  id: string;
  workflowId: string | null;
  runId: string;
  urlSealed: string;
  status: DeliveryStatus;
  payloadBytes: number;
  nextAttemptAt: Date | null;
  attemptCount: number;
  /** As in JSON: the times are text. */
  attempts: StoredAttempt[];
}

/** The payload of a delivery. */
export interface StoredPayload {
  runId: string;
  resources: PayloadRoot[] | null;
  /** Null once its payload is removed. */
  rootBytes: RootBytes | null;
}

/** Narrows a list of deliveries. */
export interface DeliveryQuery {
  statuses: readonly DeliveryStatus[];
  since: Date | '-infinity';
  /** Exclusive. */
  until: Date | 'infinity';
}

/** Replays add attempts without a limit. */
const shownAttempts = 50;
/** The characters of a receiver's response that a list over all workflows shows. */
const shownInLists = 500;

const columns = (response: string): string => `
  d.id, d.workflow_id AS "workflowId", d.run_id AS "runId", d.url_sealed AS "urlSealed",
  d.payload_bytes AS "payloadBytes", d.created_at AS "createdAt",
  CASE WHEN d.action_id IS NULL AND d.status IN ('PENDING', 'RETRYING') THEN 'CANCELED' ELSE d.status END AS status,
  CASE WHEN d.action_id IS NOT NULL THEN d.next_attempt_at END AS "nextAttemptAt",
  (SELECT count(*)::integer FROM webhook_attempts a WHERE a.delivery_id = d.id) AS "attemptCount",
  (SELECT coalesce(json_agg(json_build_object(
            'number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms, 'statusCode', a.status_code,
            'error', a.error, 'response', ${response}) ORDER BY a.number), '[]')
     FROM (SELECT * FROM webhook_attempts w WHERE w.delivery_id = d.id
            ORDER BY w.number DESC LIMIT ${shownAttempts}) AS a) AS attempts`;

/** The newest of each status (and workflow), in the order of an index, and the newest of these. */
const listOf = (groups: string, condition: string, response: string): string => `
  WITH newest AS MATERIALIZED (
    SELECT one.id, one.created_at FROM ${groups}, LATERAL (
      SELECT d.id, d.created_at FROM webhook_deliveries d
       WHERE ${condition} AND d.status = wanted.status
         AND (d.created_at, d.id) < ($2, $3) AND d.created_at >= $5 AND d.created_at < $6
       ORDER BY d.created_at DESC, d.id DESC LIMIT $4) AS one
     ORDER BY one.created_at DESC, one.id DESC LIMIT $4
  )
  SELECT ${columns(response)} FROM newest JOIN webhook_deliveries d ON d.id = newest.id
   ORDER BY d.created_at DESC, d.id DESC`;

const wantedStatuses = 'unnest($7::text[]) AS wanted(status)';
const beginningOfResponse = `left(a.response, ${shownInLists})`;

export const listOfAll = statement(
  'webhook-deliveries.list',
  listOf(wantedStatuses, 'd.organization_id = $1', beginningOfResponse),
);

export const listOfWorkflows = statement(
  'webhook-deliveries.list-of-workflows',
  listOf(
    `${wantedStatuses} CROSS JOIN (SELECT DISTINCT id FROM unnest($8::uuid[]) AS u(id)) AS workflow`,
    'd.workflow_id = workflow.id AND d.organization_id = $1',
    beginningOfResponse,
  ),
);

/** With the whole responses, unlike the lists of several workflows. */
export const listOfWorkflow = statement(
  'webhook-deliveries.list-of-workflow',
  listOf(wantedStatuses, 'd.workflow_id = $8 AND d.organization_id = $1', 'a.response'),
);

const byId = statement(
  'webhook-deliveries.by-id',
  `SELECT ${columns('a.response')} FROM webhook_deliveries d WHERE d.organization_id = $1 AND d.id = $2`,
);

const payload = `
  SELECT d.run_id AS "runId", d.resources, r.root_bytes AS "rootBytes"
    FROM webhook_deliveries d JOIN workflow_runs r ON r.id = d.run_id
   WHERE d.organization_id = $1 AND d.id = $2`;

/** The log of deliveries. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  /** A page of one workflow. */
  page(
    organizationId: string,
    workflowId: string,
    after: readonly unknown[],
    limit: number,
    { statuses, since, until }: DeliveryQuery,
  ): Promise<StoredDelivery[]> {
    const values = [organizationId, ...after, limit, since, until, statuses, workflowId];
    return this.database.rows<StoredDelivery>(listOfWorkflow, values);
  }

  /** A page over all workflows of the organization, or these. */
  list(
    organizationId: string,
    after: readonly unknown[],
    limit: number,
    { statuses, since, until }: DeliveryQuery,
    workflowIds: readonly string[] | undefined,
  ): Promise<StoredDelivery[]> {
    const values = [organizationId, ...after, limit, since, until, statuses];
    return workflowIds
      ? this.database.rows<StoredDelivery>(listOfWorkflows, [...values, workflowIds])
      : this.database.rows<StoredDelivery>(listOfAll, values);
  }

  byId(organizationId: string, id: string): Promise<StoredDelivery | null> {
    return this.database.row<StoredDelivery>(byId, [organizationId, id]);
  }

  payload(organizationId: string, id: string): Promise<StoredPayload | null> {
    return this.database.row<StoredPayload>(payload, [organizationId, id]);
  }
}

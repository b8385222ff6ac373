import { Injectable } from '@nestjs/common';
import type { CursorPosition } from '../../platform/http/cursor.js';
import { Database, statement } from '../../database/database.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';
import { deliveryColumns, newestDeliveries } from '../../platform/delivery/deliveries.statements.js';
import type { DeliveryStatus } from '../../platform/delivery/delivery-statuses.js';
import type { PartRanges } from './payload-parts.js';
import type { DeliveryAttempt } from './deliveries.dto.js';

type StoredAttempt = Omit<DeliveryAttempt, 'startedAt'> & { startedAt: string };

export interface StoredDelivery extends CursorPosition {
  id: string;
  workflowId: string | null;
  runId: string;
  urlSealed: string;
  /** Whether it is a notification, whose address may be a secret. */
  isNotice: boolean;
  part: number | null;
  of: number | null;
  status: DeliveryStatus;
  payloadBytes: number;
  nextAttemptAt: Date | null;
  attemptCount: number;
  /** As in JSON: the times are text. */
  attempts: StoredAttempt[];
}

/** The payload of a delivery. */
export interface StoredPayload {
  id: string;
  runId: string;
  resources: PayloadRoot[] | null;
  /** Null once its payload is removed. */
  rootBytes: RootBytes | null;
  bodySealed: string | null;
  part: number | null;
  parts: number | null;
  partRanges: PartRanges | null;
}

/** Narrows a list of deliveries. */
export interface DeliveryQuery {
  statuses: readonly DeliveryStatus[];
  since: Date | '-infinity';
  /** Exclusive. */
  until: Date | 'infinity';
}

/** The characters of a receiver's response that a list over all workflows shows. */
const shownInLists = 500;

const columns = (response: string): string => `
  d.workflow_id AS "workflowId", d.run_id AS "runId", d.body_sealed IS NOT NULL AS "isNotice",
  d.part, d.parts AS of,
  CASE WHEN d.action_id IS NULL AND d.status IN ('PENDING', 'RETRYING') THEN 'CANCELED' ELSE d.status END AS status,
  CASE WHEN d.action_id IS NOT NULL THEN d.next_attempt_at END AS "nextAttemptAt",
  ${deliveryColumns(response)}`;

const listOf = (groups: string, condition: string, response: string): string =>
  newestDeliveries(groups, condition, columns(response));

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
  SELECT d.id, d.run_id AS "runId", d.body_sealed AS "bodySealed", d.part, d.parts,
         d.part_ranges AS "partRanges", d.resources, r.root_bytes AS "rootBytes"
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

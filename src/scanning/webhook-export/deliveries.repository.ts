import { Injectable } from '@nestjs/common';
import type { CursorPosition } from '../../common/http/cursor.js';
import { Database, statement } from '../../database/database.js';
import { workerIsAlive } from '../../jobs/worker-life.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import type { DeliveryAttempt, DeliveryStatus } from './deliveries.shapes.js';
import type { RootBytes } from './payload-store.js';

/** The task of one attempt of a delivery. */
export const deliveryTask = 'webhook-delivery';

/** Where the address of a delivery is sealed for. */
export function sealedUrlPlace(deliveryId: string): string {
  return `webhook-delivery:${deliveryId}`;
}

type StoredAttempt = Omit<DeliveryAttempt, 'startedAt'> & { startedAt: string };

export interface StoredDelivery extends CursorPosition {
  id: string;
  runId: string;
  urlSealed: string;
  status: DeliveryStatus;
  payloadBytes: number;
  nextAttemptAt: Date | null;
  /** As JSON has them: the times are text. */
  attempts: StoredAttempt[];
}

/** What a delivery sends. */
export interface StoredPayload {
  runId: string;
  resources: PayloadRoot[] | null;
  /** Null once the payload is no longer kept. */
  rootBytes: RootBytes | null;
}

/** What a replay must know of a delivery. */
export interface Replayable {
  /** Null where the action or its workflow was deleted. */
  actionEnabled: boolean | null;
  kept: boolean;
  underWay: boolean;
}

const columns = `
  d.id, d.run_id AS "runId", d.url_sealed AS "urlSealed", d.payload_bytes AS "payloadBytes", d.created_at AS "createdAt",
  CASE WHEN d.action_id IS NULL AND d.status IN ('PENDING', 'RETRYING') THEN 'CANCELED' ELSE d.status END AS status,
  CASE WHEN d.action_id IS NOT NULL THEN d.next_attempt_at END AS "nextAttemptAt",
  (SELECT coalesce(json_agg(json_build_object(
            'number', a.number, 'startedAt', a.started_at, 'durationMs', a.duration_ms, 'statusCode', a.status_code,
            'error', a.error, 'response', a.response) ORDER BY a.number), '[]')
     FROM webhook_attempts a WHERE a.delivery_id = d.id) AS attempts`;

const page = statement(
  'webhook-deliveries.page',
  `SELECT ${columns} FROM webhook_deliveries d
    WHERE d.organization_id = $1 AND d.workflow_id = $2 AND (d.created_at, d.id) < ($3, $4)
    ORDER BY d.created_at DESC, d.id DESC LIMIT $5`,
);

const byId = statement(
  'webhook-deliveries.by-id',
  `SELECT ${columns} FROM webhook_deliveries d WHERE d.organization_id = $1 AND d.id = $2`,
);

const payload = `
  SELECT d.run_id AS "runId", d.resources, r.root_bytes AS "rootBytes"
    FROM webhook_deliveries d JOIN workflow_runs r ON r.id = d.run_id
   WHERE d.organization_id = $1 AND d.id = $2`;

const lockReplayable = `
  SELECT a.enabled AS "actionEnabled", r.root_bytes IS NOT NULL AS kept,
         d.claimed_by IS NOT NULL AND ${workerIsAlive('d.claimed_by')} AS "underWay"
    FROM webhook_deliveries d
    JOIN workflow_runs r ON r.id = d.run_id
    LEFT JOIN workflow_actions a ON a.id = d.action_id
   WHERE d.organization_id = $1 AND d.id = $2
     FOR NO KEY UPDATE OF d`;

/** Begins a series of attempts anew for those deliveries that `which` selects, and queues their jobs. */
const replayed = (which: string): string => `
  WITH again AS (
    UPDATE webhook_deliveries d
       SET status = 'PENDING', turn = turn + 1, series_failures = 0, next_attempt_at = now(), finished_at = NULL
     WHERE ${which}
    RETURNING d.id, d.turn, d.organization_id
  )
  SELECT graphile_worker.add_job(
           identifier => '${deliveryTask}', payload => json_build_object('deliveryId', id, 'turn', turn),
           job_key => '${deliveryTask}:' || id, flags => array['organization:' || organization_id])
    FROM again`;

const replay = replayed('d.id = $1');

const replayExhausted = replayed(`
  d.organization_id = $1 AND d.workflow_id = $2 AND d.status = 'EXHAUSTED' AND d.finished_at >= $3
  AND EXISTS (SELECT FROM workflow_actions a WHERE a.id = d.action_id AND a.enabled)
  AND EXISTS (SELECT FROM workflow_runs r WHERE r.id = d.run_id AND r.root_bytes IS NOT NULL)`);

@Injectable()
export class DeliveriesRepository {
  constructor(private readonly database: Database) {}

  page(
    organizationId: string,
    workflowId: string,
    after: readonly unknown[],
    limit: number,
  ): Promise<StoredDelivery[]> {
    return this.database.rows<StoredDelivery>(page, [organizationId, workflowId, ...after, limit]);
  }

  byId(organizationId: string, id: string): Promise<StoredDelivery | null> {
    return this.database.row<StoredDelivery>(byId, [organizationId, id]);
  }

  payload(organizationId: string, id: string): Promise<StoredPayload | null> {
    return this.database.row<StoredPayload>(payload, [organizationId, id]);
  }

  /** A delivery, locked, as far as a replay must know it. */
  lockReplayable(organizationId: string, id: string): Promise<Replayable | null> {
    return this.database.row<Replayable>(lockReplayable, [organizationId, id]);
  }

  async replay(id: string): Promise<void> {
    await this.database.execute(replay, [id]);
  }

  /** Replays what was exhausted since then and can be sent; answers how many that are. */
  replayExhausted(organizationId: string, workflowId: string, since: Date): Promise<number> {
    return this.database.execute(replayExhausted, [organizationId, workflowId, since]);
  }
}

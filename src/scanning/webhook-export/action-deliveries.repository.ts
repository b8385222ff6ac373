import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { queueAttempt } from '../../platform/delivery/deliveries.statements.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';
import type { PartRanges } from './payload-parts.js';
import { maySend } from '../workflows/senders.statements.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';

/** A delivery of a run whose next attempt is due. */
export interface DueAction {
  organizationId: string;
  runId: string;
  bodySealed: string | null;
  part: number | null;
  parts: number | null;
  partRanges: PartRanges | null;
  resources: PayloadRoot[] | null;
  rootBytes: RootBytes | null;
  failures: number;
  /** Null if the action may not send: somebody disabled or deleted it or its workflow. */
  action: { id: string; sealed: string } | null;
}

const due = `
  SELECT d.organization_id AS "organizationId", d.run_id AS "runId", d.body_sealed AS "bodySealed", d.part, d.parts, d.part_ranges AS "partRanges",
         d.resources, r.root_bytes AS "rootBytes",
         d.series_failures AS failures,
         CASE WHEN ${maySend('d.action_id')} THEN json_build_object('id', a.id, 'sealed', a.parameters_sealed) END AS action
    FROM webhook_deliveries d
    JOIN workflow_runs r ON r.id = d.run_id
    LEFT JOIN workflow_actions a ON a.id = d.action_id
   WHERE d.id = $1 AND d.turn = $2 AND d.status IN ('PENDING', 'RETRYING')`;

/** The workflow before its action, in the order of updates. */
const lockSender = `
  WITH home AS MATERIALIZED (
    SELECT w.id, w.enabled FROM workflows w
     WHERE w.id = (SELECT workflow_id FROM webhook_deliveries WHERE id = $1) FOR SHARE
  )
  SELECT home.enabled AND a.enabled AS sends
    FROM home JOIN workflow_actions a ON a.workflow_id = home.id
   WHERE a.id = (SELECT action_id FROM webhook_deliveries WHERE id = $1)
     FOR NO KEY UPDATE OF a`;

/** The part after a delivered one waits for it; after a replay, one that was canceled before its first attempt too. */
const queueNextPart = `
  WITH next AS (
    UPDATE webhook_deliveries d SET status = 'PENDING', turn = d.turn + 1, next_attempt_at = now(), finished_at = NULL
      FROM webhook_deliveries done
     WHERE done.id = $1 AND done.part < done.parts AND d.run_id = done.run_id AND d.action_id = done.action_id
       AND d.part = done.part + 1 AND d.next_attempt_at IS NULL AND d.status IN ('PENDING', 'CANCELED')
       AND NOT EXISTS (SELECT FROM webhook_attempts a WHERE a.delivery_id = d.id)
    RETURNING d.id, d.turn
  )
  SELECT ${queueAttempt(deliveryTask, 'next', {})} FROM next`;

const cancelLaterParts = `
  UPDATE webhook_deliveries d SET status = 'CANCELED', finished_at = now()
    FROM webhook_deliveries given
   WHERE given.id = $1 AND d.run_id = given.run_id AND d.action_id = given.action_id AND d.part > given.part
     AND d.status = 'PENDING' AND d.next_attempt_at IS NULL`;

@Injectable()
export class ActionDeliveriesRepository {
  constructor(private readonly database: Database) {}

  due(deliveryId: string, sequence: number): Promise<DueAction | null> {
    return this.database.row<DueAction & Record<string, unknown>>(due, [deliveryId, sequence]);
  }

  /** Queues the part of a payload that follows a delivered one. */
  async queueNextPart(deliveryId: string): Promise<void> {
    await this.database.execute(queueNextPart, [deliveryId]);
  }

  /** Cancels the parts after one that is given up. */
  async cancelLaterParts(deliveryId: string): Promise<void> {
    await this.database.execute(cancelLaterParts, [deliveryId]);
  }

  /** Whether the action of a delivery may send; it stays so to the end of the unit. */
  async lockSender(deliveryId: string): Promise<boolean> {
    return (await this.database.row<{ sends: boolean }>(lockSender, [deliveryId]))?.sends ?? false;
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { workerIsAlive } from '../../platform/jobs/jobs.statements.js';
import { replayDeliveries } from '../../platform/delivery/deliveries.statements.js';
import type { DeliveryStatus } from '../../platform/delivery/delivery-statuses.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';

/** The facts about a delivery that a replay needs. */
export interface Replayable {
  /** Null if somebody deleted the action or its workflow. */
  action: { id: string; enabled: boolean; workflowEnabled: boolean; sealed: string } | null;
  kept: boolean;
  underWay: boolean;
}

/** An action with the flags of its receiver's jobs. */
export interface FlaggedAction {
  id: string;
  flags: readonly string[];
}

const lockReplayable = `
  SELECT CASE WHEN a.id IS NOT NULL THEN json_build_object(
           'id', a.id, 'enabled', a.enabled, 'workflowEnabled', w.enabled, 'sealed', a.parameters_sealed) END AS action,
         (r.root_bytes IS NOT NULL OR d.body_sealed IS NOT NULL) AS kept,
         d.claimed_by IS NOT NULL AND ${workerIsAlive('d.claimed_by')} AS "underWay"
    FROM webhook_deliveries d
    JOIN workflow_runs r ON r.id = d.run_id
    LEFT JOIN workflow_actions a ON a.id = d.action_id
    LEFT JOIN workflows w ON w.id = a.workflow_id
   WHERE d.organization_id = $1 AND d.id = $2
     FOR NO KEY UPDATE OF d`;

const sendingActions = `
  SELECT a.id, a.parameters_sealed AS sealed FROM workflow_actions a JOIN workflows w ON w.id = a.workflow_id
   WHERE w.organization_id = $1 AND w.id = $2 AND w.enabled AND a.enabled`;

const replay = replayDeliveries(deliveryTask, 'd.action_id', 'd.id = $2');

const replayAll = replayDeliveries(
  deliveryTask,
  'd.action_id',
  `d.workflow_id = $2 AND d.status = ANY ($3) AND d.finished_at >= $4
  AND (d.body_sealed IS NOT NULL
       OR EXISTS (SELECT FROM workflow_runs r WHERE r.id = d.run_id AND r.root_bytes IS NOT NULL))`,
);

@Injectable()
export class ReplaysRepository {
  constructor(private readonly database: Database) {}

  /** A delivery, locked. */
  lockReplayable(organizationId: string, id: string): Promise<Replayable | null> {
    return this.database.row<Replayable>(lockReplayable, [organizationId, id]);
  }

  /** The actions of a workflow that may send, with their sealed parameters. */
  sendingActions(organizationId: string, workflowId: string): Promise<{ id: string; sealed: string }[]> {
    return this.database.rows(sendingActions, [organizationId, workflowId]);
  }

  async replay(id: string, action: FlaggedAction): Promise<void> {
    await this.database.execute(replay, [JSON.stringify([action]), id]);
  }

  /** Replays the deliveries that ended so since then and can be sent; returns how many. */
  replayAll(
    workflowId: string,
    actions: FlaggedAction[],
    statuses: readonly DeliveryStatus[],
    since: Date,
  ): Promise<number> {
    return this.database.execute(replayAll, [JSON.stringify(actions), workflowId, statuses, since]);
  }
}

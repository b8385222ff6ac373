import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { workerIsAlive } from '../../jobs/worker-life.js';
import { deliveryTask } from '../workflows/cancellations.repository.js';
import type { DeliveryStatus } from './deliveries.shapes.js';

/** What a replay must know of a delivery. */
export interface Replayable {
  /** Null where the action or its workflow was deleted. */
  action: { id: string; enabled: boolean; workflowEnabled: boolean; sealed: string } | null;
  kept: boolean;
  underWay: boolean;
}

/** An action, and the marks that the jobs of its receiver bear. */
export interface MarkedAction {
  id: string;
  marks: readonly string[];
}

const lockReplayable = `
  SELECT CASE WHEN a.id IS NOT NULL THEN json_build_object(
           'id', a.id, 'enabled', a.enabled, 'workflowEnabled', w.enabled, 'sealed', a.parameters_sealed) END AS action,
         r.root_bytes IS NOT NULL AS kept,
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

/**
 * Begins a series of attempts anew for those deliveries of the marked actions ($1) that `which` selects, and queues their
 * jobs.
 */
const replayed = (which: string): string => `
  WITH marked AS (
    SELECT id, marks FROM jsonb_to_recordset($1::jsonb) AS action(id uuid, marks text[])
  ), again AS (
    UPDATE webhook_deliveries d
       SET status = 'PENDING', turn = turn + 1, series_failures = 0, next_attempt_at = now(), finished_at = NULL
      FROM marked
     WHERE d.action_id = marked.id AND ${which}
    RETURNING d.id, d.turn, marked.marks
  )
  SELECT graphile_worker.add_job(
           identifier => '${deliveryTask}', payload => json_build_object('deliveryId', id, 'turn', turn),
           job_key => '${deliveryTask}:' || id, flags => marks)
    FROM again`;

const replay = replayed('d.id = $2');

const replayAll = replayed(`
  d.workflow_id = $2 AND d.status = ANY ($3) AND d.finished_at >= $4
  AND EXISTS (SELECT FROM workflow_runs r WHERE r.id = d.run_id AND r.root_bytes IS NOT NULL)`);

@Injectable()
export class ReplaysRepository {
  constructor(private readonly database: Database) {}

  /** A delivery, locked, as far as a replay must know it. */
  lockReplayable(organizationId: string, id: string): Promise<Replayable | null> {
    return this.database.row<Replayable>(lockReplayable, [organizationId, id]);
  }

  /** The actions of a workflow that may send, with their sealed parameters. */
  sendingActions(organizationId: string, workflowId: string): Promise<{ id: string; sealed: string }[]> {
    return this.database.rows(sendingActions, [organizationId, workflowId]);
  }

  async replay(id: string, action: MarkedAction): Promise<void> {
    await this.database.execute(replay, [JSON.stringify([action]), id]);
  }

  /** Replays what ended so since then and can be sent; answers how many that are. */
  replayAll(
    workflowId: string,
    actions: MarkedAction[],
    statuses: readonly DeliveryStatus[],
    since: Date,
  ): Promise<number> {
    return this.database.execute(replayAll, [JSON.stringify(actions), workflowId, statuses, since]);
  }
}

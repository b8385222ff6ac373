import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { workerIsAlive } from '../../jobs/worker-life.js';
import { runTask } from './runs.repository.js';

/** The task of one attempt of a delivery. */
export const deliveryTask = 'webhook-delivery';

/** What the log says of an attempt whose end nobody saw. */
export const interrupted = 'The service ended in the middle of this attempt';
export const workflowDisabled = 'The workflow was disabled before the run';

/** Whether the action of this id may send: it is there, and neither it nor its workflow is disabled. */
export function maySend(actionId: string): string {
  return `EXISTS (SELECT FROM workflow_actions sender JOIN workflows home ON home.id = sender.workflow_id
                   WHERE sender.id = ${actionId} AND sender.enabled AND home.enabled)`;
}

/** Runs that are gathering their payload at the moment are left to their end, and to their deliveries' first attempt. */
const cancelRuns = `
  WITH waiting AS (
    SELECT id FROM workflow_runs WHERE workflow_id = $1 AND status = 'PENDING' FOR NO KEY UPDATE SKIP LOCKED
  ), canceled AS (
    UPDATE workflow_runs r SET status = 'CANCELED', reason = $2 FROM waiting WHERE r.id = waiting.id RETURNING r.id
  )
  SELECT graphile_worker.remove_job('${runTask}:' || id) FROM canceled`;

/** An attempt under way is left to its end, and so is its delivery. */
const cancelDeliveries = `
  WITH canceled AS (
    UPDATE webhook_deliveries d
       SET status = 'CANCELED', claimed_by = NULL, next_attempt_at = NULL, finished_at = now()
     WHERE d.workflow_id = $1 AND d.status IN ('PENDING', 'RETRYING') AND NOT ${maySend('d.action_id')}
       AND (d.claimed_by IS NULL OR NOT ${workerIsAlive('d.claimed_by')})
    RETURNING d.id
  ), broken_off AS (
    UPDATE webhook_attempts a SET error = '${interrupted}', duration_ms = 0
      FROM canceled WHERE a.delivery_id = canceled.id AND a.duration_ms IS NULL
  )
  SELECT graphile_worker.remove_job('${deliveryTask}:' || id) FROM canceled`;

/**
 * Takes back what a workflow has yet to send, in the unit of work of the change by which it must not. The workflow or the
 * action must be locked or changed first: whoever queues another attempt waits for that then, and sees it.
 */
@Injectable()
export class CancellationsRepository {
  constructor(private readonly database: Database) {}

  /** Cancels the deliveries of actions that are gone or disabled; of all, where the workflow itself is disabled. */
  async cancelDeliveries(workflowId: string): Promise<void> {
    await this.database.execute(cancelDeliveries, [workflowId]);
  }

  /** Cancels the runs that wait for the end of their window, or for their turn. */
  async cancelRuns(workflowId: string, reason: string): Promise<void> {
    await this.database.execute(cancelRuns, [workflowId, reason]);
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { cancelDeliveries } from '../../platform/delivery/deliveries.statements.js';
import { removeJobSql } from '../../platform/jobs/jobs.statements.js';
import { maySend } from './senders.statements.js';
import { deliveryTask, runTask } from './workflow-tasks.js';

/** A run that is gathering its payload goes on, up to the first attempts of its deliveries. */
const cancelRuns = `
  WITH waiting AS (
    SELECT id FROM workflow_runs WHERE workflow_id = $1 AND status = 'PENDING' FOR NO KEY UPDATE SKIP LOCKED
  ), canceled AS (
    UPDATE workflow_runs r SET status = 'CANCELED', reason = $2 FROM waiting WHERE r.id = waiting.id RETURNING r.id
  )
  SELECT ${removeJobSql(runTask, 'id')} FROM canceled`;

const cancelUnsendable = cancelDeliveries(deliveryTask, `d.workflow_id = $1 AND NOT ${maySend('d.action_id')}`);

/**
 * Cancels everything that a workflow has yet to send, in the unit of work of the change that forbids it. Lock or change
 * the workflow or action first: a later attempt is then queued only after the change, and sees it.
 */
@Injectable()
export class CancellationsRepository {
  constructor(private readonly database: Database) {}

  /** Cancels the deliveries of deleted and disabled actions; all of them where the workflow itself is disabled. */
  async cancelDeliveries(workflowId: string): Promise<void> {
    await this.database.execute(cancelUnsendable, [workflowId]);
  }

  /** Cancels the runs whose window has not ended, and those whose job has not begun. */
  async cancelRuns(workflowId: string, reason: string): Promise<void> {
    await this.database.execute(cancelRuns, [workflowId, reason]);
  }
}

import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { workerIsAlive } from '../../jobs/worker-life.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { deliveryTask, interrupted, maySend } from '../workflows/cancellations.repository.js';
import type { RootBytes } from './payload-store.js';

/** A delivery whose next attempt is due. */
export interface DueDelivery {
  id: string;
  organizationId: string;
  runId: string;
  resources: PayloadRoot[] | null;
  rootBytes: RootBytes | null;
  /** How many attempts of the series under way failed. */
  failures: number;
  /** Null where the action may not send: it, or its workflow, was disabled or deleted. */
  action: { id: string; sealed: string } | null;
}

/** What came of an attempt, for its log. */
export interface AttemptLog {
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  response: string | null;
}

/** Which attempt of which delivery, and by whom. */
export interface Claim {
  deliveryId: string;
  turn: number;
  workerId: string;
}

const due = `
  SELECT d.id, d.organization_id AS "organizationId", d.run_id AS "runId", d.resources, r.root_bytes AS "rootBytes",
         d.series_failures AS failures,
         CASE WHEN ${maySend('d.action_id')} THEN json_build_object('id', a.id, 'sealed', a.parameters_sealed) END AS action
    FROM webhook_deliveries d
    JOIN workflow_runs r ON r.id = d.run_id
    LEFT JOIN workflow_actions a ON a.id = d.action_id
   WHERE d.id = $1 AND d.turn = $2 AND d.status IN ('PENDING', 'RETRYING')`;

/** Claims a delivery that may be sent and that nobody alive has, and begins the log of its next attempt. */
const claim = `
  WITH claimed AS (
    UPDATE webhook_deliveries SET claimed_by = $3, url_sealed = $4
     WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')
       AND (claimed_by IS NULL OR claimed_by = $3 OR NOT ${workerIsAlive('claimed_by')}) AND ${maySend('action_id')}
    RETURNING id
  ), broken_off AS (
    UPDATE webhook_attempts a SET error = '${interrupted}', duration_ms = 0
      FROM claimed WHERE a.delivery_id = claimed.id AND a.duration_ms IS NULL
  )
  INSERT INTO webhook_attempts (delivery_id, number)
  SELECT id, 1 + coalesce((SELECT max(number) FROM webhook_attempts WHERE delivery_id = id), 0) FROM claimed
  RETURNING number`;

const finishAttempt = `
  UPDATE webhook_attempts SET duration_ms = $3, status_code = $4, error = $5, response = $6
   WHERE delivery_id = $1 AND number = $2`;

/** The workflow before its action, as whoever changes them does. */
const lockSender = `
  WITH home AS MATERIALIZED (
    SELECT w.id, w.enabled FROM workflows w
     WHERE w.id = (SELECT workflow_id FROM webhook_deliveries WHERE id = $1) FOR SHARE
  )
  SELECT home.enabled AND a.enabled AS sends
    FROM home JOIN workflow_actions a ON a.workflow_id = home.id
   WHERE a.id = (SELECT action_id FROM webhook_deliveries WHERE id = $1)
     FOR NO KEY UPDATE OF a`;

const finish = `
  UPDATE webhook_deliveries
     SET status = $3, claimed_by = NULL, next_attempt_at = NULL, finished_at = now(),
         series_failures = series_failures + CASE WHEN $3 = 'EXHAUSTED' THEN 1 ELSE 0 END
   WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')`;

/** The next attempt: after a wait where this one failed ($4), else as it was. */
const queueNext = `
  WITH next AS (
    UPDATE webhook_deliveries
       SET status = CASE WHEN $4 THEN 'RETRYING' ELSE status END, claimed_by = NULL, turn = turn + 1,
           series_failures = series_failures + CASE WHEN $4 THEN 1 ELSE 0 END,
           next_attempt_at = now() + $3 * interval '1 second'
     WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')
    RETURNING id, turn, now() + $3 * interval '1 second' AS at
  )
  SELECT graphile_worker.add_job(
           identifier => '${deliveryTask}', payload => json_build_object('deliveryId', id, 'turn', turn), run_at => at,
           job_key => '${deliveryTask}:' || id, flags => $5)
    FROM next`;

const queueMissing = `
  SELECT graphile_worker.add_job(
           identifier => '${deliveryTask}', payload => json_build_object('deliveryId', d.id, 'turn', d.turn),
           job_key => '${deliveryTask}:' || d.id)
    FROM webhook_deliveries d
   WHERE d.status IN ('PENDING', 'RETRYING') AND d.next_attempt_at < now() - interval '2 minutes'
     AND (d.claimed_by IS NULL OR NOT ${workerIsAlive('d.claimed_by')})
     AND NOT EXISTS (
           SELECT FROM graphile_worker.jobs j
            WHERE j.key = '${deliveryTask}:' || d.id AND (j.locked_at IS NOT NULL OR j.attempts < j.max_attempts))`;

const succeeded = 'UPDATE workflow_actions SET failing_since = NULL WHERE id = $1 AND failing_since IS NOT NULL';

/** $2 disables the action at once; $3 does, where it has failed for $4 and longer without a success. */
const failed = `
  UPDATE workflow_actions
     SET failing_since = coalesce(failing_since, now()),
         disabled_reason = CASE WHEN enabled THEN coalesce($2, CASE WHEN failing_since < now() - $4::interval THEN $3 END)
                                ELSE disabled_reason END,
         enabled = enabled AND $2::text IS NULL AND coalesce(failing_since >= now() - $4::interval, true)
   WHERE id = $1
  RETURNING enabled, workflow_id AS "workflowId"`;

@Injectable()
export class AttemptsRepository {
  constructor(private readonly database: Database) {}

  due({ deliveryId, turn }: Claim): Promise<DueDelivery | null> {
    return this.database.row<DueDelivery>(due, [deliveryId, turn]);
  }

  /** The number of the attempt that the claim is for, or null where somebody alive has the delivery, or it is settled. */
  async claim({ deliveryId, turn, workerId }: Claim, urlSealed: string): Promise<number | null> {
    const row = await this.database.row<{ number: number }>(claim, [deliveryId, turn, workerId, urlSealed]);
    return row?.number ?? null;
  }

  async finishAttempt(deliveryId: string, number: number, log: AttemptLog): Promise<void> {
    const { durationMs, statusCode, error, response } = log;
    await this.database.execute(finishAttempt, [deliveryId, number, durationMs, statusCode, error, response]);
  }

  /** Whether the action of a delivery may send on; nobody changes that before the end of the unit. */
  async lockSender(deliveryId: string): Promise<boolean> {
    return (await this.database.row<{ sends: boolean }>(lockSender, [deliveryId]))?.sends ?? false;
  }

  async finish({ deliveryId, turn }: Claim, status: 'DELIVERED' | 'EXHAUSTED' | 'CANCELED'): Promise<void> {
    await this.database.execute(finish, [deliveryId, turn, status]);
  }

  /** Queues the attempt after a failed one. */
  async queueRetry({ deliveryId, turn }: Claim, waitSeconds: number, marks: string[]): Promise<void> {
    await this.database.execute(queueNext, [deliveryId, turn, waitSeconds, true, marks]);
  }

  /** Queues the attempt again that could not be made, or not to its end, for no fault of the receiver's. */
  async queueAgain({ deliveryId, turn }: Claim, waitSeconds: number, marks: string[]): Promise<void> {
    await this.database.execute(queueNext, [deliveryId, turn, waitSeconds, false, marks]);
  }

  /** Queues the jobs of deliveries that lost theirs. */
  async queueMissing(): Promise<void> {
    await this.database.execute(queueMissing);
  }

  async actionSucceeded(actionId: string): Promise<void> {
    await this.database.execute(succeeded, [actionId]);
  }

  /**
   * Notes a failure; disables the action where there is a reason to at once, or where it has failed for too long. Answers
   * the workflow of an action that is disabled now.
   */
  async actionFailed(
    actionId: string,
    reason: string | null,
    failingReason: string,
    patience: string,
  ): Promise<string | null> {
    const values = [actionId, reason, failingReason, patience];
    const row = await this.database.row<{ enabled: boolean; workflowId: string }>(failed, values);
    return row && !row.enabled ? row.workflowId : null;
  }
}

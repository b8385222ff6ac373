import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { jobExistsSql, workerIsAlive } from '../../platform/jobs/jobs.statements.js';
import type { PayloadRoot } from '../workflows/payload-roots.js';
import { endAttempts, maySend } from '../workflows/senders.statements.js';
import type { RootBytes } from '../workflows/workflow-run.entity.js';
import { deliveryTask } from '../workflows/workflow-tasks.js';
import { queueAttempt } from './delivery-job.statements.js';
import { type AttemptResult, WebhookAttemptEntity } from './webhook-attempt.entity.js';

/** A delivery whose next attempt is due. */
export interface DueDelivery {
  id: string;
  organizationId: string;
  runId: string;
  resources: PayloadRoot[] | null;
  rootBytes: RootBytes | null;
  /** The failed attempts since its creation or replay. */
  failures: number;
  /** Null if the action may not send: somebody disabled or deleted it or its workflow. */
  action: { id: string; sealed: string } | null;
}

/** A worker's claim to make an attempt: the delivery, the sequence number of the job, and the worker. */
export interface Claim {
  deliveryId: string;
  sequence: number;
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

/**
 * Claims a delivery that no live worker has, and opens its next attempt in the log. Where somebody disabled its action
 * since the job began, it cancels the delivery instead: that change may not have seen it.
 */
const claim = `
  WITH free AS MATERIALIZED (
    SELECT id, ${maySend('action_id')} AS sends FROM webhook_deliveries
     WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')
       AND (claimed_by IS NULL OR claimed_by = $3 OR NOT ${workerIsAlive('claimed_by')})
       FOR NO KEY UPDATE
  ), broken_off AS (
    ${endAttempts('free')}
  ), canceled AS (
    UPDATE webhook_deliveries d SET status = 'CANCELED', claimed_by = NULL, next_attempt_at = NULL, finished_at = now()
      FROM free WHERE d.id = free.id AND NOT free.sends
  ), claimed AS (
    UPDATE webhook_deliveries d SET claimed_by = $3, url_sealed = $4
      FROM free WHERE d.id = free.id AND free.sends
    RETURNING d.id
  )
  INSERT INTO webhook_attempts (delivery_id, number)
  SELECT id, 1 + coalesce((SELECT max(number) FROM webhook_attempts WHERE delivery_id = id), 0) FROM claimed
  RETURNING number`;

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

const finish = `
  UPDATE webhook_deliveries
     SET status = $3, claimed_by = NULL, next_attempt_at = NULL, finished_at = now(),
         series_failures = series_failures + CASE WHEN $3 = 'EXHAUSTED' THEN 1 ELSE 0 END
   WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')`;

/** Queues the next attempt in $3 seconds; $4 says whether this one failed. */
const queueNext = `
  WITH next AS (
    UPDATE webhook_deliveries
       SET status = CASE WHEN $4 THEN 'RETRYING' ELSE status END, claimed_by = NULL, turn = turn + 1,
           series_failures = series_failures + CASE WHEN $4 THEN 1 ELSE 0 END,
           next_attempt_at = now() + $3 * interval '1 second'
     WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')
    RETURNING id, turn, now() + $3 * interval '1 second' AS at
  )
  SELECT ${queueAttempt('next', { runAt: 'at', flags: '$5' })} FROM next`;

const queueMissing = `
  SELECT ${queueAttempt('d', {})}
    FROM webhook_deliveries d
   WHERE d.status IN ('PENDING', 'RETRYING') AND d.next_attempt_at < now() - interval '2 minutes'
     AND (d.claimed_by IS NULL OR NOT ${workerIsAlive('d.claimed_by')})
     AND NOT ${jobExistsSql(deliveryTask, 'd.id')}`;

@Injectable()
export class AttemptsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookAttemptEntity) private readonly attempts: Repository<WebhookAttemptEntity>,
  ) {}

  due({ deliveryId, sequence }: Claim): Promise<DueDelivery | null> {
    return this.database.row<DueDelivery>(due, [deliveryId, sequence]);
  }

  /** The number of the claimed attempt, or null if a live worker has the delivery, or it is now settled. */
  async claim({ deliveryId, sequence, workerId }: Claim, urlSealed: string): Promise<number | null> {
    const row = await this.database.row<{ number: number }>(claim, [deliveryId, sequence, workerId, urlSealed]);
    return row?.number ?? null;
  }

  async finishAttempt(deliveryId: string, number: number, result: AttemptResult): Promise<void> {
    const { durationMs, statusCode, error, response } = result;
    await this.attempts.update({ deliveryId, number }, { durationMs, statusCode, error, response });
  }

  /** Whether the action of a delivery may send; it stays so to the end of the unit. */
  async lockSender(deliveryId: string): Promise<boolean> {
    return (await this.database.row<{ sends: boolean }>(lockSender, [deliveryId]))?.sends ?? false;
  }

  async finish({ deliveryId, sequence }: Claim, status: 'DELIVERED' | 'EXHAUSTED' | 'CANCELED'): Promise<void> {
    await this.database.execute(finish, [deliveryId, sequence, status]);
  }

  /** Queues the attempt after a failed one. */
  async queueRetry({ deliveryId, sequence }: Claim, waitSeconds: number, flags: string[]): Promise<void> {
    await this.database.execute(queueNext, [deliveryId, sequence, waitSeconds, true, flags]);
  }

  /** Queues an attempt again that the service itself did not make, or not to its end. */
  async queueAgain({ deliveryId, sequence }: Claim, waitSeconds: number, flags: string[]): Promise<void> {
    await this.database.execute(queueNext, [deliveryId, sequence, waitSeconds, false, flags]);
  }

  /** Queues the jobs of deliveries that lost theirs. */
  async queueMissing(): Promise<void> {
    await this.database.execute(queueMissing);
  }
}

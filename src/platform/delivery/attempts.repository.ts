import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../../database/database.js';
import { jobExistsSql, workerIsAlive } from '../jobs/jobs.statements.js';
import { endAttempts, queueAttempt } from './deliveries.statements.js';
import type { DeliveryUser, DueJob } from './delivery-user.js';
import { type AttemptResult, WebhookAttemptEntity } from './webhook-attempt.entity.js';

/** A worker's claim to make an attempt of a delivery of this user. */
export interface Claim extends DueJob {
  user: DeliveryUser;
}

/**
 * Claims a delivery that no live worker has, and opens its next attempt in the log. Where somebody disabled its receiver
 * since the job began, it cancels the delivery instead: that change may not have seen it.
 */
const claim = (user: DeliveryUser): string => `
  WITH free AS MATERIALIZED (
    SELECT id, ${user.maySend('webhook_deliveries')} AS sends FROM webhook_deliveries
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

const finish = `
  UPDATE webhook_deliveries
     SET status = $3, claimed_by = NULL, next_attempt_at = NULL, finished_at = now(),
         series_failures = series_failures + CASE WHEN $3 = 'EXHAUSTED' THEN 1 ELSE 0 END
   WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')`;

/** Queues the next attempt in $3 seconds; $4 says whether this one failed. */
const queueNext = ({ task }: DeliveryUser): string => `
  WITH next AS (
    UPDATE webhook_deliveries
       SET status = CASE WHEN $4 THEN 'RETRYING' ELSE status END, claimed_by = NULL, turn = turn + 1,
           series_failures = series_failures + CASE WHEN $4 THEN 1 ELSE 0 END,
           next_attempt_at = now() + $3 * interval '1 second'
     WHERE id = $1 AND turn = $2 AND status IN ('PENDING', 'RETRYING')
    RETURNING id, turn, now() + $3 * interval '1 second' AS at
  )
  SELECT ${queueAttempt(task, 'next', { runAt: 'at', flags: '$5' })} FROM next`;

const queueMissing = ({ task, isOwn }: DeliveryUser): string => `
  SELECT ${queueAttempt(task, 'd', {})}
    FROM webhook_deliveries d
   WHERE ${isOwn} AND d.status IN ('PENDING', 'RETRYING') AND d.next_attempt_at < now() - interval '2 minutes'
     AND (d.claimed_by IS NULL OR NOT ${workerIsAlive('d.claimed_by')})
     AND NOT ${jobExistsSql(task, 'd.id')}`;

@Injectable()
export class AttemptsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(WebhookAttemptEntity) private readonly attempts: Repository<WebhookAttemptEntity>,
  ) {}

  /** The number of the claimed attempt, or null if a live worker has the delivery, or it is now settled. */
  async claim({ user, deliveryId, sequence, workerId }: Claim, urlSealed: string): Promise<number | null> {
    const values = [deliveryId, sequence, workerId, urlSealed];
    return (await this.database.row<{ number: number }>(claim(user), values))?.number ?? null;
  }

  async finishAttempt(deliveryId: string, number: number, result: AttemptResult): Promise<void> {
    const { durationMs, statusCode, error, response } = result;
    await this.attempts.update({ deliveryId, number }, { durationMs, statusCode, error, response });
  }

  async finish({ deliveryId, sequence }: Claim, status: 'DELIVERED' | 'EXHAUSTED' | 'CANCELED'): Promise<void> {
    await this.database.execute(finish, [deliveryId, sequence, status]);
  }

  /** Queues the attempt after a failed one. */
  async queueRetry({ user, deliveryId, sequence }: Claim, waitSeconds: number, flags: string[]): Promise<void> {
    await this.database.execute(queueNext(user), [deliveryId, sequence, waitSeconds, true, flags]);
  }

  /** Queues an attempt again that the service itself did not make, or not to its end. */
  async queueAgain({ user, deliveryId, sequence }: Claim, waitSeconds: number, flags: string[]): Promise<void> {
    await this.database.execute(queueNext(user), [deliveryId, sequence, waitSeconds, false, flags]);
  }

  /** Queues the jobs of deliveries that lost theirs. */
  async queueMissing(user: DeliveryUser): Promise<void> {
    await this.database.execute(queueMissing(user));
  }
}

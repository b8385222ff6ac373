import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { SecretBox } from '../crypto/secret-box.js';
import { Metrics } from '../http/metrics.js';
import { AttemptsRepository, type Claim } from './attempts.repository.js';
import { interrupted } from './deliveries.statements.js';
import { sealedUrlPlace } from './delivery-statuses.js';
import type { DeliveryUser } from './delivery-user.js';
import { retryAfterSeconds, waitSeconds } from './retry-plan.js';
import type { Outcome } from './webhook-post.js';

const gone = 410;
const goneReason = 'The receiver responded with 410 (gone)';
const noSlotSeconds = 1;

/** An attempt in progress, with its number in the log and the flags of its receiver's jobs. */
export interface Attempt {
  claim: Claim;
  number: number;
  receiverId: string;
  failures: number;
  flags: string[];
}

/** Logs the outcome of each attempt, and settles its delivery or queues the next attempt, in one transaction. */
@Injectable()
export class AttemptLog {
  private readonly counts = { delivered: 0, retried: 0, exhausted: 0, canceled: 0, interrupted: 0, postponed: 0 };

  constructor(
    private readonly repository: AttemptsRepository,
    private readonly settings: Settings,
    private readonly box: SecretBox,
    private readonly unitOfWork: UnitOfWork,
    metrics: Metrics,
  ) {
    metrics.countEach('webhook_attempts_total', 'Attempts of deliveries, by what became of the delivery', {
      labels: ['outcome'],
      look: () => Object.entries(this.counts).map(([outcome, value]) => ({ labels: [outcome], value })),
    });
  }

  /**
   * Claims the delivery for an attempt to this address; returns its number, or null if a live worker has it, or it is
   * now settled.
   */
  begin(claim: Claim, url: string): Promise<number | null> {
    return this.repository.claim(claim, this.box.seal(url, sealedUrlPlace(claim.deliveryId)));
  }

  /** Cancels a delivery whose receiver may get nothing any more. */
  async cancel(claim: Claim): Promise<void> {
    await this.repository.finish(claim, 'CANCELED');
    this.count('canceled');
  }

  /** Postpones an attempt whose receiver has no free slot. */
  async postpone(claim: Claim, flags: string[]): Promise<void> {
    await this.repository.queueAgain(claim, noSlotSeconds, flags);
    this.count('postponed');
  }

  /** Queues the attempts of a user's deliveries that lost their job. */
  queueMissing(user: DeliveryUser): Promise<void> {
    return this.repository.queueMissing(user);
  }

  /** Logs an attempt that the service itself interrupted: it will be repeated, and is not a failure. */
  async interrupted({ claim, number, flags }: Attempt, durationMs: number): Promise<void> {
    const result = { durationMs, statusCode: null, error: interrupted, response: null };
    await this.unitOfWork.run(async () => {
      await this.repository.queueAgain(claim, 0, flags);
      await this.repository.finishAttempt(claim.deliveryId, number, result);
      this.count('interrupted');
    });
  }

  /** Logs the outcome of an attempt, and settles its delivery or queues the next attempt. */
  async record(attempt: Attempt, outcome: Outcome): Promise<void> {
    await this.unitOfWork.run(async () => {
      if (outcome.delivered) await this.settle(attempt);
      else await this.retry(attempt, outcome);
      // Last, as where a receiver is deleted with its deliveries and their attempts: neither waits for the other's lock.
      await this.repository.finishAttempt(attempt.claim.deliveryId, attempt.number, outcome);
    });
  }

  private count(outcome: keyof AttemptLog['counts']): void {
    this.unitOfWork.afterCommit(() => (this.counts[outcome] += 1));
  }

  private async settle({ claim, receiverId }: Attempt): Promise<void> {
    await claim.user.succeeded(receiverId, claim.deliveryId);
    await this.repository.finish(claim, 'DELIVERED');
    this.count('delivered');
  }

  private async retry({ claim, receiverId, failures, flags }: Attempt, outcome: Outcome): Promise<void> {
    const { user, deliveryId } = claim;
    if (!(await user.lockReceiver(deliveryId))) return this.cancel(claim);
    const isGone = outcome.statusCode === gone;
    const retryAfter = retryAfterSeconds(outcome.statusCode, outcome.retryAfter, new Date());
    const wait = isGone
      ? null
      : waitSeconds(this.settings.webhookRetrySeconds, failures + 1, retryAfter, Math.random());
    if (wait === null) await this.repository.finish(claim, 'EXHAUSTED');
    else await this.repository.queueRetry(claim, wait, flags);
    this.count(wait === null ? 'exhausted' : 'retried');
    await user.failed(receiverId, isGone ? goneReason : null, { deliveryId, isLast: wait === null });
  }
}

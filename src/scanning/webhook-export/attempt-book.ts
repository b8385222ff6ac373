import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { CancellationsRepository, interrupted } from '../workflows/cancellations.repository.js';
import { AttemptsRepository, type Claim, type DueDelivery } from './attempts.repository.js';
import { sealedUrlPlace } from './deliveries.repository.js';
import { retryAfterSeconds, waitSeconds } from './retry-plan.js';
import type { Outcome } from './webhook-post.js';

const gone = 410;
const failingFor = '5 days';
const reasons = {
  gone: 'The receiver answered 410 (gone)',
  failing: 'For five days, every attempt has failed',
};
const noPlaceSeconds = 1;

/** An attempt under way: its number in the log, and the marks that the jobs of its receiver bear. */
export interface Attempt {
  claim: Claim;
  number: number;
  actionId: string;
  failures: number;
  marks: string[];
}

/** Keeps the books of attempts: what each came to, and what comes next, in one transaction. */
@Injectable()
export class AttemptBook {
  constructor(
    private readonly repository: AttemptsRepository,
    private readonly cancellations: CancellationsRepository,
    private readonly settings: Settings,
    private readonly box: SecretBox,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The delivery that an attempt is due for, or null where that is settled. */
  due(claim: Claim): Promise<DueDelivery | null> {
    return this.repository.due(claim);
  }

  /** Claims the delivery for an attempt to this address; answers its number, or null where somebody alive has it. */
  begin(claim: Claim, url: string): Promise<number | null> {
    return this.repository.claim(claim, this.box.seal(url, sealedUrlPlace(claim.deliveryId)));
  }

  /** Cancels a delivery whose action may not send any more. */
  cancel(claim: Claim): Promise<void> {
    return this.repository.finish(claim, 'CANCELED');
  }

  /** Puts off a delivery for which there is no place now. */
  putOff(claim: Claim, marks: string[]): Promise<void> {
    return this.repository.queueAgain(claim, noPlaceSeconds, marks);
  }

  /** Writes down an attempt that was broken off by the service itself: it is made again, and counts as no failure. */
  async interrupted({ claim, number, marks }: Attempt, durationMs: number): Promise<void> {
    const log = { durationMs, statusCode: null, error: interrupted, response: null };
    await this.unitOfWork.run(async () => {
      await this.repository.finishAttempt(claim.deliveryId, number, log);
      await this.repository.queueAgain(claim, 0, marks);
    });
  }

  /** Writes down what an attempt came to, and settles its delivery or queues the next attempt. */
  async record(attempt: Attempt, outcome: Outcome): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.repository.finishAttempt(attempt.claim.deliveryId, attempt.number, outcome);
      if (outcome.delivered) await this.settle(attempt);
      else await this.retry(attempt, outcome);
    });
  }

  private async settle({ claim, actionId }: Attempt): Promise<void> {
    await this.repository.actionSucceeded(actionId);
    await this.repository.finish(claim, 'DELIVERED');
  }

  private async retry({ claim, actionId, failures, marks }: Attempt, outcome: Outcome): Promise<void> {
    if (!(await this.repository.lockSender(claim.deliveryId))) return this.cancel(claim);
    const isGone = outcome.statusCode === gone;
    const retryAfter = retryAfterSeconds(outcome.statusCode, outcome.retryAfter, new Date());
    const wait = isGone
      ? null
      : waitSeconds(this.settings.webhookRetrySeconds, failures + 1, retryAfter, Math.random());
    if (wait === null) await this.repository.finish(claim, 'EXHAUSTED');
    else await this.repository.queueRetry(claim, wait, marks);
    const reason = isGone ? reasons.gone : null;
    const stopped = await this.repository.actionFailed(actionId, reason, reasons.failing, failingFor);
    if (stopped) await this.cancellations.cancelDeliveries(stopped);
  }
}

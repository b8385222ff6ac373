import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobQueue } from '../../jobs/job-queue.js';
import { JobRunner } from '../../jobs/job-runner.js';
import { AttemptsRepository } from './attempts.repository.js';
import { HousekeepingRepository } from './housekeeping.repository.js';

// Unspecified: how long these are kept; payloads longer than a replay reaches back, the log for a quarter of a year.
const payloadDays = 30;
const runDays = 90;
const jobDays = 7;

/** Queues deliveries that lost their job, and removes what is too old. */
@Injectable()
export class Housekeeping implements OnModuleInit {
  constructor(
    private readonly repository: HousekeepingRepository,
    private readonly attempts: AttemptsRepository,
    private readonly queue: JobQueue,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'webhook-lost-jobs',
      everySeconds: 60,
      handler: () => this.attempts.queueMissing(),
    });
    this.jobs.registerRecurring({
      name: 'webhook-housekeeping',
      everySeconds: 86_400,
      handler: () => this.removeOld(),
    });
  }

  /** Removes what is older than it is kept. */
  async removeOld(): Promise<void> {
    await this.repository.removePayloads(payloadDays);
    await this.repository.removeRuns(runDays);
    await this.queue.removeFailed(jobDays);
  }
}

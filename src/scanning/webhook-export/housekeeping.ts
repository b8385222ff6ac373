import { Injectable, type OnModuleInit } from '@nestjs/common';
import { JobRunner } from '../../jobs/job-runner.js';
import { AttemptsRepository } from './attempts.repository.js';
import { HousekeepingRepository } from './housekeeping.repository.js';

// Not shown: how long sent things are kept; payloads longer than a replay reaches back, the log a quarter of a year.
const payloadDays = 30;
const runDays = 90;
const jobDays = 7;

/** What has to be looked after now and then: deliveries that lost their job, and what has grown old. */
@Injectable()
export class Housekeeping implements OnModuleInit {
  constructor(
    private readonly repository: HousekeepingRepository,
    private readonly attempts: AttemptsRepository,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'webhook-lost-jobs',
      everySeconds: 60,
      handler: () => this.attempts.queueMissing(),
    });
    this.jobs.registerRecurring({ name: 'webhook-housekeeping', everySeconds: 86_400, handler: () => this.forget() });
  }

  /** Throws away what is older than it is kept. */
  async forget(): Promise<void> {
    await this.repository.forgetPayloads(payloadDays);
    await this.repository.forgetRuns(runDays);
    await this.repository.forgetJobs(jobDays);
  }
}

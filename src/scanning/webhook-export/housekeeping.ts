import { Injectable, type OnModuleInit } from '@nestjs/common';
import { OrganizationRemovals } from '../../platform/removal-steps.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobQueue } from '../../platform/jobs/job-queue.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { HousekeepingRepository, type RunsOfOne } from './housekeeping.repository.js';
import { PayloadStore } from './payload-store.js';

// Unspecified: how long these stay; payloads longer than a replay reaches back, the log for a quarter of a year.
const payloadDays = 30;
const runDays = 90;
const jobDays = 7;

/** Removes payloads, runs and failed jobs that are too old, and the payloads of organizations that are removed. */
@Injectable()
export class Housekeeping implements OnModuleInit {
  constructor(
    private readonly repository: HousekeepingRepository,
    private readonly payloads: PayloadStore,
    private readonly unitOfWork: UnitOfWork,
    private readonly queue: JobQueue,
    private readonly jobs: JobRunner,
    private readonly removals: OrganizationRemovals,
  ) {}

  onModuleInit(): void {
    this.removals.add((organizationIds) => this.payloads.removeOf(organizationIds));
    this.jobs.registerRecurring({
      name: 'webhook-housekeeping',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.removeOld(signal),
    });
  }

  /** Removes everything that is too old. */
  async removeOld(signal?: AbortSignal): Promise<void> {
    await this.removePayloads(signal);
    while (await this.repository.removeRuns(runDays)) signal?.throwIfAborted();
    await this.queue.removeFailed(jobDays, signal);
  }

  /** Leaves payloads of runs that a delivery needs again meanwhile, and does not look at them twice. */
  private async removePayloads(signal?: AbortSignal): Promise<void> {
    for (let removed = 1; removed > 0;) {
      removed = 0;
      for (const runs of await this.repository.withOldPayloads(payloadDays)) {
        signal?.throwIfAborted();
        removed += await this.removePayloadsOf(runs);
      }
    }
  }

  private removePayloadsOf(runs: RunsOfOne): Promise<number> {
    return this.unitOfWork.run(async () => {
      const runIds = await this.repository.forgetPayloads(runs);
      await this.payloads.removeAll(runs.organizationId, runIds);
      return runIds.length;
    });
  }
}

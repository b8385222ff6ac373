import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { IssueRetentionRepository } from './issue-retention.repository.js';

const leastId = '00000000-0000-0000-0000-000000000000';

/** Removes issues that were resolved longer ago than `SCAN_RETENTION_DAYS`; none unless that is set. */
@Injectable()
export class IssueRetention implements OnModuleInit {
  constructor(
    private readonly repository: IssueRetentionRepository,
    private readonly jobs: JobRunner,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'issue-retention',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.removeOld(signal),
    });
  }

  /** Walks all issues, some at a time. */
  async removeOld(signal?: AbortSignal): Promise<void> {
    const { scanRetentionDays } = this.settings;
    if (scanRetentionDays === 0) return;
    for (let last: string | null = leastId; last !== null;) {
      signal?.throwIfAborted();
      last = await this.repository.removeOld(last, scanRetentionDays);
    }
  }
}

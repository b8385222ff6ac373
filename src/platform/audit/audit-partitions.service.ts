import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { type MonthPartitions, PartitionedTables } from '../../database/month-partitions.js';
import { JobRunner } from '../jobs/job-runner.js';

const dayMs = 86_400_000;
/** How far ahead a month is created, so that no change has to create it. */
const aheadDays = 7;

/** The monthly partitions of the audit log: made ahead, dropped after the retention. */
@Injectable()
export class AuditPartitionsService implements OnModuleInit {
  private readonly months: MonthPartitions;

  constructor(
    tables: PartitionedTables,
    private readonly settings: Settings,
    private readonly jobs: JobRunner,
  ) {
    this.months = tables.of({ name: 'audit_entries', refusesTruncation: 'refuse_audit_change' });
  }

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'audit-months',
      everySeconds: 86_400,
      deadlineSeconds: 600,
      handler: ({ signal }) => this.keep(new Date(), signal),
    });
  }

  /** Creates the month of a time if no job has created it. */
  prepare(time: Date): Promise<void> {
    return this.months.prepare([time]);
  }

  /** Creates the next month, and drops those that ended more than AUDIT_RETENTION_DAYS ago. */
  async keep(now = new Date(), signal?: AbortSignal): Promise<void> {
    await this.months.prepare([now, new Date(now.getTime() + aheadDays * dayMs)]);
    await this.months.dropExpired(this.settings.auditRetentionDays, now, signal);
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { type MonthPartitions, PartitionedTables } from '../../database/month-partitions.js';
import { JobRunner } from '../../jobs/job-runner.js';

/** The monthly partitions of events: created when needed, dropped after the retention. */
@Injectable()
export class EventPartitionsService implements OnModuleInit {
  private readonly months: MonthPartitions;

  constructor(
    tables: PartitionedTables,
    private readonly settings: Settings,
    private readonly jobs: JobRunner,
  ) {
    this.months = tables.of({ name: 'scan_events' });
  }

  onModuleInit(): void {
    this.jobs.registerRecurring({ name: 'event-retention', everySeconds: 86_400, handler: () => this.dropExpired() });
  }

  /** Creates the partitions for events of these times where they are missing. To be called before the unit of work. */
  prepare(times: Iterable<Date>): Promise<void> {
    return this.months.prepare(times);
  }

  /** Prepares for events of now and of the next day. */
  prepareForNow(): Promise<void> {
    return this.months.prepareForNow();
  }

  /** Makes the next `prepare` look again which months exist. */
  forget(): void {
    this.months.forget();
  }

  /**
   * Drops the months that ended more than EVENT_RETENTION_DAYS ago; throws where one is in use for too long, so that the
   * job is tried again.
   */
  dropExpired(now = new Date()): Promise<void> {
    return this.months.dropExpired(this.settings.eventRetentionDays, now);
  }
}

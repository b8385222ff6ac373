import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { type MonthPartitions, PartitionedTables } from '../../database/month-partitions.js';
import { type Month, monthOf } from '../../database/months.js';
import { JobRunner } from '../../platform/jobs/job-runner.js';
import { EventCountsRepository } from './event-counts.repository.js';
import { EventNumbersService } from './event-numbers.service.js';

const mergedAfterMs = 2 * 3_600_000;
const dayMs = 86_400_000;

/** The monthly partitions of events: created when needed, dropped after the retention. */
@Injectable()
export class EventPartitionsService implements OnModuleInit {
  private readonly months: MonthPartitions;

  constructor(
    tables: PartitionedTables,
    private readonly settings: Settings,
    private readonly jobs: JobRunner,
    private readonly counts: EventCountsRepository,
    private readonly numbers: EventNumbersService,
  ) {
    // Once the month is dropped, which waits for all its writers.
    const afterDrop = ({ from, to }: Month) => this.counts.removeBetween(from, to);
    this.months = tables.of({ name: 'scan_events', afterDrop });
  }

  onModuleInit(): void {
    this.jobs.registerRecurring({
      name: 'event-retention',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.dropExpired(new Date(), signal),
    });
    this.jobs.registerRecurring({
      name: 'event-counts',
      everySeconds: 86_400,
      deadlineSeconds: 3_600,
      handler: ({ signal }) => this.mergeCounts(new Date(), signal),
    });
  }

  /** Creates missing partitions for events of these times. Call it before the unit of work. */
  prepare(times: Iterable<Date>): Promise<void> {
    return this.months.prepare(times);
  }

  /** Prepares for events of now and of the next day. */
  prepareForNow(): Promise<void> {
    return this.months.prepareForNow();
  }

  /** Merges the connections' counts of each hour that is over. */
  mergeCounts(now = new Date(), signal?: AbortSignal): Promise<void> {
    return this.counts.merge(new Date(now.getTime() - mergedAfterMs), signal);
  }

  /** Makes the next `prepare` check again which months exist. */
  forget(): void {
    this.months.forget();
  }

  /**
   * Drops the months that ended more than EVENT_RETENTION_DAYS ago, and forgets their batches; throws where one is in
   * use for too long, so that the job tries again.
   */
  async dropExpired(now = new Date(), signal?: AbortSignal): Promise<void> {
    const { eventRetentionDays } = this.settings;
    await this.months.dropExpired(eventRetentionDays, now, signal);
    const { from } = monthOf('scan_events', new Date(now.getTime() - eventRetentionDays * dayMs));
    // An event may be a little newer than the beginning of the transaction that appended it.
    await this.numbers.forgetBefore(new Date(from.getTime() - dayMs), signal);
  }
}

import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { JobRunner } from '../../jobs/job-runner.js';
import { type EventMonth, monthNamed, monthOf } from './event-months.js';
import { EventPartitionsRepository } from './event-partitions.repository.js';

const dayMs = 86_400_000;

/** The monthly partitions of events: created when needed, dropped after the retention. */
@Injectable()
export class EventPartitionsService implements OnModuleInit {
  /** Months that existed at the last look. Another node may have dropped one since: then an insert fails. */
  private readonly known = new Set<string>();

  constructor(
    private readonly repository: EventPartitionsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
    private readonly jobs: JobRunner,
  ) {}

  onModuleInit(): void {
    this.jobs.registerRecurring({ name: 'event-retention', everySeconds: 86_400, handler: () => this.dropExpired() });
  }

  /** Creates the partitions for events of these times where they are missing. To be called before the unit of work. */
  async prepare(times: Iterable<Date>): Promise<void> {
    const months = [...new Map(Array.from(times, (time) => [monthOf(time).name, monthOf(time)])).values()];
    if (months.every(({ name }) => this.known.has(name))) return;
    await this.look();
    const missing = months.filter(({ name }) => !this.known.has(name));
    if (missing.length > 0) await this.create(missing);
  }

  /** Prepares for events of now and of the next day. */
  prepareForNow(): Promise<void> {
    return this.prepare([new Date(), new Date(Date.now() + dayMs)]);
  }

  /** Makes the next `prepare` look again which months exist. */
  forget(): void {
    this.known.clear();
  }

  /**
   * Drops the months that ended more than EVENT_RETENTION_DAYS ago; throws where one is in use for too long, so that the
   * job is tried again.
   */
  async dropExpired(now = new Date()): Promise<void> {
    const limit = new Date(now.getTime() - this.settings.eventRetentionDays * dayMs);
    const expired = (await this.repository.names())
      .map(monthNamed)
      .filter((month) => month !== null)
      .filter(({ to }) => to <= limit);
    for (const month of expired) {
      this.known.delete(month.name);
      await this.unitOfWork.run(() => this.repository.drop(month));
    }
  }

  private async create(months: EventMonth[]): Promise<void> {
    await this.unitOfWork.run(async () => {
      await this.repository.lock();
      const names = await this.repository.names();
      for (const month of months) if (!names.includes(month.name)) await this.repository.create(month);
    });
    for (const { name } of months) this.known.add(name);
  }

  private async look(): Promise<void> {
    this.known.clear();
    for (const name of await this.repository.names()) this.known.add(name);
  }
}

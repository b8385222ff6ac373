import { Injectable } from '@nestjs/common';
import { MonthPartitionsRepository } from './month-partitions.repository.js';
import { type Month, monthNamed, monthOf } from './months.js';
import { UnitOfWork } from './unit-of-work.js';

const dayMs = 86_400_000;

export interface PartitionedTable {
  name: string;
  /** The trigger function that refuses to truncate a partition, if none may be. */
  refusesTruncation?: string;
  /** Called in the same unit of work for each dropped month. */
  afterDrop?: (month: Month) => Promise<void>;
}

interface Parts {
  repository: MonthPartitionsRepository;
  unitOfWork: UnitOfWork;
}

/** The monthly partitions of one table: created when needed, dropped after a retention. */
export class MonthPartitions {
  /** Months that existed at the last look. Another node may have dropped one since: then an insert fails. */
  private readonly known = new Set<string>();

  constructor(
    private readonly table: PartitionedTable,
    private readonly parts: Parts,
  ) {}

  /**
   * Creates missing partitions for rows of these times. Best before the unit of work that writes them: within one,
   * others who need the same new month wait for its end.
   */
  async prepare(times: Iterable<Date>): Promise<void> {
    const months = [...new Map(Array.from(times, (time) => this.keyed(time))).values()];
    if (months.every(({ name }) => this.known.has(name))) return;
    const names = await this.parts.repository.names(this.table.name);
    const missing = months.filter(({ name }) => !names.includes(name));
    if (missing.length > 0) await this.create(missing);
    // Partitions made in a unit of work exist once it is committed.
    this.parts.unitOfWork.afterCommit(() => {
      this.known.clear();
      for (const name of [...names, ...missing.map((month) => month.name)]) this.known.add(name);
    });
  }

  /** Creates the partitions for now and for the next day. */
  prepareForNow(): Promise<void> {
    return this.prepare([new Date(), new Date(Date.now() + dayMs)]);
  }

  /** Makes the next `prepare` check again which months exist. */
  forget(): void {
    this.known.clear();
  }

  /** Drops the months that ended more than this many days ago; throws if one is in use for too long. */
  async dropExpired(retentionDays: number, now: Date, signal?: AbortSignal): Promise<void> {
    const limit = new Date(now.getTime() - retentionDays * dayMs);
    const expired = (await this.parts.repository.names(this.table.name))
      .map((name) => monthNamed(this.table.name, name))
      .filter((month) => month !== null)
      .filter(({ to }) => to <= limit);
    for (const month of expired) {
      signal?.throwIfAborted();
      this.known.delete(month.name);
      await this.parts.unitOfWork.run(async () => {
        await this.parts.repository.drop(month);
        await this.table.afterDrop?.(month);
      });
    }
  }

  private keyed(time: Date): [string, Month] {
    const month = monthOf(this.table.name, time);
    return [month.name, month];
  }

  private async create(months: Month[]): Promise<void> {
    const { repository, unitOfWork } = this.parts;
    const { name: table, refusesTruncation } = this.table;
    await unitOfWork.run(async () => {
      await repository.lock();
      const names = await repository.names(table);
      for (const month of months.filter(({ name }) => !names.includes(name))) {
        await repository.create(table, month);
        if (refusesTruncation) await repository.refuseTruncation(month, refusesTruncation);
      }
    });
  }
}

/** Gives the modules the partitions of their tables. */
@Injectable()
export class PartitionedTables {
  constructor(
    private readonly repository: MonthPartitionsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  of(table: PartitionedTable): MonthPartitions {
    return new MonthPartitions(table, { repository: this.repository, unitOfWork: this.unitOfWork });
  }
}

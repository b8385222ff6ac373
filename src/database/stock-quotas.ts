import { Injectable } from '@nestjs/common';
import { QuotaExceeded, RateExceeded, type Refusal } from '../common/errors/kinds.js';
import type { Quota, StockName } from '../config/quotas.js';
import { Settings } from '../config/settings.js';
import { Database, type Statement, statement } from './database.js';
import { UnitOfWork } from './unit-of-work.js';

const lock = statement('stock-quotas.lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

/** SQL that counts the rows of the owner $1, and no further than $2. */
export function countUpTo(rowsOfOwner: string): string {
  return `SELECT count(*)::integer AS count FROM (SELECT FROM ${rowsOfOwner} LIMIT $2) AS held`;
}

/** How much must be left at least, so that what is under way and not yet seen stays far from the limit. */
const ample = 1_000;
const ampleShare = 0.1;

function full(quota: Quota): Refusal {
  const { drainsInSeconds } = quota;
  return drainsInSeconds === undefined ? new QuotaExceeded(quota) : new RateExceeded(quota, drainsInSeconds);
}

/** Holds what a user or an organization may have to its quota. */
@Injectable()
export class StockQuotas {
  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /**
   * Runs `work`, which adds to what `owner` has, in a unit of work that is undone with `QuotaExceeded` where that is more
   * than the quota (`RateExceeded` for what goes by itself). Those who add at once count one after the other, each with the
   * rows of whoever came before; what added nothing counts nothing. Far below the limit nobody waits: a unit that takes
   * minutes, such as an import, would hold up all others. `count` is made by `countUpTo`.
   */
  within<T>(
    name: StockName,
    owner: string,
    count: Statement,
    work: () => Promise<T>,
    hasAdded: (result: T) => boolean = () => true,
  ): Promise<T> {
    const quota = this.settings.quotas[name];
    return this.unitOfWork.run(async () => {
      const result = await work();
      if (!hasAdded(result)) return result;
      const few = quota.limit - Math.max(ample, Math.ceil(quota.limit * ampleShare));
      if (few > 0 && (await this.held(count, owner, few)) <= few) return result;
      // Two statements: a count in that of the lock would have looked before it waited.
      await this.database.execute(lock, [`quota:${name}:${owner}`]);
      if ((await this.held(count, owner, quota.limit)) > quota.limit) throw full(quota);
      return result;
    });
  }

  /** How much the owner holds, no further than one beyond `most`. */
  private async held(count: Statement, owner: string, most: number): Promise<number> {
    const row = await this.database.one<{ count: number }>(count, [owner, most + 1]);
    return row.count;
  }
}

import { Injectable } from '@nestjs/common';
import { QuotaExceeded, RateExceeded, type Refusal } from '../errors/errors.js';
import type { Quota, StockName } from '../../config/quotas.js';
import { Settings } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { StockQuotasRepository } from './stock-quotas.repository.js';
import type { CountStatement } from './stock-quotas.statements.js';

/** The least that must be left, so that uncommitted work of others cannot reach the limit. */
const ample = 1_000;
const ampleShare = 0.1;

function full(quota: Quota): Refusal {
  const { drainsInSeconds } = quota;
  return drainsInSeconds === undefined ? new QuotaExceeded(quota) : new RateExceeded(quota, drainsInSeconds);
}

/** Keeps the holdings of a user or an organization within their quota. */
@Injectable()
export class StockQuotas {
  constructor(
    private readonly repository: StockQuotasRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly settings: Settings,
  ) {}

  /**
   * Runs `work`, which adds to the holdings of `owner`, in a unit of work; rolls it back with `QuotaExceeded` where it exceeds
   * the quota (`RateExceeded` for one that drains by itself). Near the limit, concurrent units of one owner count one after
   * the other, each with the rows of those before; far below it none waits, since a unit may take minutes, as an import does.
   * `countUpTo` makes `count`.
   */
  within<T>(
    name: StockName,
    owner: string,
    count: CountStatement,
    work: () => Promise<T>,
    hasAdded: (result: T) => boolean = () => true,
  ): Promise<T> {
    const quota = this.settings.quotas[name];
    return this.unitOfWork.run(async () => {
      const result = await work();
      if (!hasAdded(result)) return result;
      const few = quota.limit - Math.max(ample, Math.ceil(quota.limit * ampleShare));
      if (few > 0 && (await this.repository.held(count, owner, few)) <= few) return result;
      // Two statements: a count in that of the lock would use a snapshot from before the wait.
      await this.repository.lock(name, owner);
      if ((await this.repository.held(count, owner, quota.limit)) > quota.limit) throw full(quota);
      return result;
    });
  }
}

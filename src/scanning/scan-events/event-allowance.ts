import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { TooManyRequests } from '../../platform/errors/errors.js';
import { Settings } from '../../config/settings.js';
import { RateLeases } from '../../platform/quotas/rate-leases.js';

const bounds = { waiting: 200, waitingPerKey: 64, waitMs: 60_000 };
const comeBackSeconds = 5;

/** Limits how many events an organization may append in a day, and how many appends write at once. */
@Injectable()
export class EventAllowance {
  /** Takes at most half of the connections, fairly by organization; the other half stays with the rest of the service. */
  private readonly writing: FairSemaphore;

  constructor(
    private readonly leases: RateLeases,
    { databasePoolSize }: Settings,
  ) {
    this.writing = new FairSemaphore({ ...bounds, atOnce: Math.floor(databasePoolSize / 2) });
  }

  /**
   * Calls `write`, which appends `count` events and returns how many were new; only new ones count. `RateExceeded` where
   * the organization has none left for the day, `TooManyRequests` where too many of its requests are waiting.
   */
  spend(organizationId: string, count: number, write: () => Promise<number>): Promise<number> {
    return this.count(
      organizationId,
      count,
      () => this.admitted(organizationId, write),
      (written) => written,
    );
  }

  /**
   * Calls `write`, which appends at most `most` events; `written` says how many were new, and only new ones count.
   * `RateExceeded` where the organization has fewer left for the day. Call it outside units of work.
   */
  async count<T>(
    organizationId: string,
    most: number,
    write: () => Promise<T>,
    written: (result: T) => number,
  ): Promise<T> {
    await this.leases.take('events', organizationId, most);
    let used = 0;
    try {
      const result = await write();
      used = written(result);
      return result;
    } finally {
      this.leases.giveBack('events', organizationId, most - used);
    }
  }

  private admitted(organizationId: string, write: () => Promise<number>): Promise<number> {
    const sentence = 'Too many requests to append events are waiting: send fewer at once, and larger ones';
    const refusal = () => new TooManyRequests(sentence, comeBackSeconds, 'busy');
    return this.writing.run(write, { key: organizationId, refusal });
  }
}

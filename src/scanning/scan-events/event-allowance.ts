import { Injectable } from '@nestjs/common';
import { FairSemaphore, NotAdmitted } from '../../common/concurrency/fair-semaphore.js';
import { TooManyRequests } from '../../common/errors/kinds.js';
import { Settings } from '../../config/settings.js';
import { RateLeases } from '../../database/rate-leases.js';

const bounds = { waiting: 200, waitingPerKey: 64, waitMs: 60_000 };
const comeBackSeconds = 5;

/** How many events an organization may append in a day, and how many appends write at once. */
@Injectable()
export class EventAllowance {
  /** Half of the connections at most, in turns by organization: the rest of the service keeps the other half. */
  private readonly writing: FairSemaphore;

  constructor(
    private readonly leases: RateLeases,
    { databasePoolSize }: Settings,
  ) {
    this.writing = new FairSemaphore({ ...bounds, atOnce: Math.floor(databasePoolSize / 2) });
  }

  /**
   * Has `write` append `count` events, of which it returns how many were new: those alone are counted. `RateExceeded` where
   * the organization has none left for the day, `TooManyRequests` where it has too many requests waiting.
   */
  spend(organizationId: string, count: number, write: () => Promise<number>): Promise<number> {
    return this.count(
      organizationId,
      count,
      () => this.inTurn(organizationId, write),
      (written) => written,
    );
  }

  /**
   * Has `write` append `most` events at most, of which `written` tells how many were new: those alone are counted.
   * `RateExceeded` where the organization has not as many left for the day. Outside units of work.
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

  private async inTurn(organizationId: string, write: () => Promise<number>): Promise<number> {
    try {
      return await this.writing.run(write, { key: organizationId });
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      const sentence = 'Too many requests that append events wait to be written: send fewer at once, and larger ones';
      throw new TooManyRequests(sentence, comeBackSeconds, 'busy');
    }
  }
}

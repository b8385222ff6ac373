import { Injectable } from '@nestjs/common';
import { FairSemaphore } from '../../platform/concurrency/fair-semaphore.js';
import { Unavailable } from '../../platform/errors/errors.js';
import { Settings } from '../../config/settings.js';

const bounds = { waiting: 500, waitMs: 10_000 };
const comeBackSeconds = 5;

/** The searches of the catalog, a few at a time. */
@Injectable()
export class CatalogueSearches {
  /**
   * Fewer than half of the connections, for all searches: appends of events may take half, and logins need the rest.
   */
  private readonly semaphore: FairSemaphore;

  constructor({ databasePoolSize }: Settings) {
    const atOnce = Math.max(1, Math.ceil(databasePoolSize / 2) - 1);
    this.semaphore = new FairSemaphore({ ...bounds, atOnce });
  }

  /** Returns the result of a search; `Unavailable` where too many wait. */
  admitted<T>(work: () => Promise<T>): Promise<T> {
    const sentence = 'Too many searches are waiting: try again in a few seconds';
    return this.semaphore.run(work, {
      isForCaller: true,
      refusal: () => new Unavailable(sentence, 'busy', comeBackSeconds),
    });
  }
}

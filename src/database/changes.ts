import { Injectable } from '@nestjs/common';
import { ChangeBus, type CacheTag } from '../common/changes/change-bus.js';
import { WorkerLink } from '../common/workers/worker-link.js';
import { ChangeFeed } from './change-feed.js';
import { UnitOfWork } from './unit-of-work.js';

/** Lets modules publish their changes. */
@Injectable()
export class Changes {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly bus: ChangeBus,
    private readonly feed: ChangeFeed,
    private readonly link: WorkerLink,
  ) {
    link.onPublished((cacheTags) => bus.announce(cacheTags));
  }

  /**
   * Invalidates these cache tags once the current unit of work is committed, or at once outside of any. This node's caches drop
   * their entries before the caller gets an answer, in all of its workers, those of other nodes within some
   * 10 ms.
   */
  async invalidate(cacheTags: readonly CacheTag[]): Promise<void> {
    if (cacheTags.length === 0) return;
    // Outside a unit of work the effect comes now, and this waits for it; else the unit does.
    const told: Promise<void>[] = [];
    this.unitOfWork.afterCommit(() => {
      this.bus.announce(cacheTags);
      this.feed.publish(cacheTags);
      const telling = this.link.publish(cacheTags);
      told.push(telling);
      return telling;
    });
    await Promise.all(told);
  }
}

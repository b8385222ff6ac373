import { Injectable } from '@nestjs/common';
import { ChangeBus, type CacheTag } from '../platform/changes/change-bus.js';
import { ChangeFeed } from './change-feed.js';
import { UnitOfWork } from './unit-of-work.js';

/** Lets modules publish their changes. */
@Injectable()
export class Changes {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly bus: ChangeBus,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Invalidates these cache tags once the current unit of work is committed, or at once outside of any. This node's caches drop
   * their entries before the caller gets an answer, those of other nodes within some 10 ms.
   */
  invalidate(cacheTags: readonly CacheTag[]): void {
    if (cacheTags.length === 0) return;
    this.unitOfWork.afterCommit(() => {
      this.bus.announce(cacheTags);
      this.feed.publish(cacheTags);
    });
  }
}

import { Injectable } from '@nestjs/common';
import { ChangeBus, type CacheTag } from '../common/changes/change-bus.js';
import { ChangeFeed } from './change-feed.js';
import { UnitOfWork } from './unit-of-work.js';

/** The door by which modules say what they changed. */
@Injectable()
export class Changes {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly bus: ChangeBus,
    private readonly feed: ChangeFeed,
  ) {}

  /**
   * Says that what these cache tags name has changed: once the unit of work under way is committed, at once where there is
   * none. This node's caches forget it before the caller is answered, other nodes' within some 10 ms.
   */
  invalidate(cacheTags: readonly CacheTag[]): void {
    if (cacheTags.length === 0) return;
    this.unitOfWork.afterCommit(() => {
      this.bus.announce(cacheTags);
      this.feed.tell(cacheTags);
    });
  }
}

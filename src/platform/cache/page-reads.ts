import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { CacheTag } from '../changes/change-bus.js';
import { visitedPageOf } from '../net/visitor-address.js';

/** What was read for a page so far: the cache tags of it all, and whether any of it has none. */
interface Reads {
  readonly cacheTags: Set<CacheTag>;
  isKnown: boolean;
}

/** Notes what the pages that are being made in this process read of it, so that each is kept as long as all of that holds. */
@Injectable()
export class PageReads {
  private readonly pages = new Map<string, Reads>();

  /** Does the work that makes a page, and returns the cache tags of all that was read for it; undefined if it may depend on anything. */
  async during<T>(page: string, work: () => Promise<T>): Promise<{ made: T; cacheTags: CacheTag[] | undefined }> {
    const reads: Reads = { cacheTags: new Set(), isKnown: true };
    this.pages.set(page, reads);
    try {
      const made = await work();
      return { made, cacheTags: reads.isKnown ? [...reads.cacheTags] : undefined };
    } finally {
      this.pages.delete(page);
    }
  }

  /** Notes a read: the cache tags of its answer, or undefined if it may depend on anything. */
  note(request: Pick<IncomingMessage, 'headers'>, cacheTags: readonly CacheTag[] | undefined): void {
    if (this.pages.size === 0) return;
    const reads = this.pages.get(visitedPageOf(request) ?? '');
    if (!reads) return;
    if (cacheTags === undefined) reads.isKnown = false;
    else for (const cacheTag of cacheTags) reads.cacheTags.add(cacheTag);
  }
}

import type { CacheTag } from './change-bus.js';

/** A read in progress, and the number of changes before it began. */
export interface Reading {
  readonly begunAt: number;
}

/**
 * Counts changes, so that a read can tell whether its subject changed since it began. It remembers a change as long as a read
 * is in progress that began before it.
 */
export class ChangeClock {
  private now = 0;
  private everythingAt = 0;
  /** The last change of each cache tag, oldest first. */
  private readonly changedAt = new Map<CacheTag, number>();
  /** Oldest first. */
  private readonly readings = new Set<Reading>();

  /** The number of changes so far. */
  get time(): number {
    return this.now;
  }

  /** The number of cache tags whose last change it remembers. */
  get remembered(): number {
    return this.changedAt.size;
  }

  /** Records a change of cache tags. */
  tick(cacheTags: readonly CacheTag[]): void {
    this.now += 1;
    if (this.readings.size === 0) return;
    for (const cacheTag of cacheTags) {
      this.changedAt.delete(cacheTag);
      this.changedAt.set(cacheTag, this.now);
    }
  }

  /** Records that anything may have changed. */
  tickAll(): void {
    this.now += 1;
    this.everythingAt = this.now;
  }

  begin(): Reading {
    const reading = { begunAt: this.now };
    this.readings.add(reading);
    return reading;
  }

  end(reading: Reading): void {
    this.readings.delete(reading);
    const [oldest] = this.readings;
    if (oldest) this.forgetUntil(oldest.begunAt);
    else this.changedAt.clear();
  }

  /** Whether any of the cache tags changed since the reading began. */
  hasChanged({ begunAt }: Reading, cacheTags: readonly CacheTag[]): boolean {
    return this.everythingAt > begunAt || cacheTags.some((cacheTag) => (this.changedAt.get(cacheTag) ?? 0) > begunAt);
  }

  private forgetUntil(time: number): void {
    for (const [cacheTag, at] of this.changedAt) {
      if (at > time) return;
      this.changedAt.delete(cacheTag);
    }
  }
}

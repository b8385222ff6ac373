import { Injectable } from '@nestjs/common';

/**
 * Names data that responses show: `product:17`, `reviews:17`, or a whole class such as `assortment`. Each module names
 * its own cache tags.
 */
export type CacheTag = string;

/** Stands for all cache tags: anything may have changed. */
export const everything: CacheTag = '*';

type Listener = (cacheTags: readonly CacheTag[]) => void;

/** Tells the caches of this process, synchronously, about every change. */
@Injectable()
export class ChangeBus {
  private readonly listeners: Listener[] = [];
  private readonly alarms: (() => void)[] = [];

  /** Calls `listener` with the cache tags of every change. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Calls `listener` when anything may have changed. */
  onMissed(listener: () => void): void {
    this.alarms.push(listener);
  }

  /** Announces a committed change. */
  announce(cacheTags: readonly CacheTag[]): void {
    if (cacheTags.includes(everything)) return this.missed();
    for (const listener of this.listeners) listener(cacheTags);
  }

  /** Announces that other nodes' changes may have been missed. */
  missed(): void {
    for (const alarm of this.alarms) alarm();
  }
}

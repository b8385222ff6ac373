import { Injectable } from '@nestjs/common';

/**
 * What a change touched, or an answer shows: `product:17`, `reviews:17`, or a whole class such as `assortment`.
 * Modules name their own cache tags beside their rules.
 */
export type CacheTag = string;

/** Whatever there is: announced, it says that anything may have changed. */
export const everything: CacheTag = '*';

type Listener = (cacheTags: readonly CacheTag[]) => void;

/** Tells the caches of this process what has changed, at once. */
@Injectable()
export class ChangeBus {
  private readonly listeners: Listener[] = [];
  private readonly alarms: (() => void)[] = [];

  /** Has `listener` called with the cache tags of every change. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
  }

  /** Has `listener` called when anything may have changed. */
  onMissed(listener: () => void): void {
    this.alarms.push(listener);
  }

  /** Announces a change that is committed. */
  announce(cacheTags: readonly CacheTag[]): void {
    if (cacheTags.includes(everything)) return this.missed();
    for (const listener of this.listeners) listener(cacheTags);
  }

  /** Announces that changes of other nodes may have been missed. */
  missed(): void {
    for (const alarm of this.alarms) alarm();
  }
}

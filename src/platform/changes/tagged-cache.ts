import { LRUCache } from 'lru-cache';
import type { ChangeBus, CacheTag } from './change-bus.js';
import { ChangeClock, type Reading } from './change-clock.js';
import { freshMs } from './freshness.js';

interface Known<T> {
  value: T;
  cacheTags: readonly CacheTag[];
  freshUntil: number;
}

/** A read in progress, and whom its value still serves. */
interface Running<T> {
  value: Promise<T>;
  reading: Reading;
  freshUntil: number;
}

type Read<T> = () => Promise<T>;

/**
 * Values read from the database, known until one of their cache tags changes here or on another node, or 1.8 s pass. Who asks
 * while a value is being read waits for it, unless it changed since that reading began: a list of a million is counted once
 * for all its readers.
 */
export class TaggedCache<T> {
  private readonly clock = new ChangeClock();
  private readonly known: LRUCache<string, Known<T>>;
  private readonly running = new Map<string, Running<T>>();
  private readonly keysOfTag = new Map<CacheTag, Set<string>>();

  constructor(changes: ChangeBus, most: number) {
    this.known = new LRUCache({ max: most, dispose: ({ cacheTags }, key) => this.unlist(cacheTags, key) });
    changes.onChange((cacheTags) => {
      this.clock.tick(cacheTags);
      for (const cacheTag of cacheTags) for (const key of this.keysOfTag.get(cacheTag) ?? []) this.known.delete(key);
    });
    changes.onMissed(() => {
      this.clock.tickAll();
      this.known.clear();
    });
  }

  /** The number of known values, including outdated ones. */
  get size(): number {
    return this.known.size;
  }

  /** The value known under the key, or the one that `read` returns. */
  async get(key: string, cacheTags: readonly CacheTag[], read: Read<T>): Promise<T> {
    const now = performance.now();
    const known = this.known.get(key);
    if (known && known.freshUntil > now) return known.value;
    const running = this.running.get(key);
    const serves = running && running.freshUntil > now && !this.clock.hasChanged(running.reading, cacheTags);
    if (!serves) return this.renew(key, cacheTags, read);
    // It may have failed for its caller alone, who hung up.
    return running.value.catch(() => this.renew(key, cacheTags, read));
  }

  /** The value that `read` returns, known from then on unless it changed meanwhile. */
  renew(key: string, cacheTags: readonly CacheTag[], read: Read<T>): Promise<T> {
    const [freshUntil, reading] = [performance.now() + freshMs, this.clock.begin()];
    const value = this.read(key, cacheTags, { read, freshUntil, reading });
    this.running.set(key, { value, reading, freshUntil });
    return value;
  }

  private async read(
    key: string,
    cacheTags: readonly CacheTag[],
    { read, freshUntil, reading }: Omit<Running<T>, 'value'> & { read: Read<T> },
  ): Promise<T> {
    try {
      const value = await read();
      if (!this.clock.hasChanged(reading, cacheTags)) this.keep(key, { value, cacheTags, freshUntil });
      return value;
    } finally {
      this.clock.end(reading);
      if (this.running.get(key)?.reading === reading) this.running.delete(key);
    }
  }

  private keep(key: string, known: Known<T>): void {
    this.known.set(key, known);
    for (const cacheTag of known.cacheTags) {
      const keys = this.keysOfTag.get(cacheTag);
      if (keys) keys.add(key);
      else this.keysOfTag.set(cacheTag, new Set([key]));
    }
  }

  private unlist(cacheTags: readonly CacheTag[], key: string): void {
    for (const cacheTag of cacheTags) {
      const keys = this.keysOfTag.get(cacheTag);
      keys?.delete(key);
      if (keys?.size === 0) this.keysOfTag.delete(cacheTag);
    }
  }
}

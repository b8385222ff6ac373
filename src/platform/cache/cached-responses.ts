import { LRUCache } from 'lru-cache';
import type { CacheTag } from '../changes/change-bus.js';
import type { ReadyResponse } from './ready-response.js';

/** An answer that may be sent again. */
export interface CachedResponse extends ReadyResponse {
  /** The route's pattern, which metrics name. */
  readonly route: string;
  readonly cacheTags: readonly CacheTag[];
  /** By `performance.now()`. */
  readonly freshUntil: number;
}

/** The keys of the answers that depend on one cache tag. */
interface TagIndexEntry {
  readonly cacheTag: CacheTag;
  readonly keys: Set<string>;
}

interface Entry {
  readonly answer: CachedResponse;
  readonly tags: TagIndexEntry[];
}

// Memory beside the bytes of key and body: objects and their places in arrays and maps. Measured on the heap of Node 20
// to 24, rounded up.
const answerBytes = 1_000;
const headerBytes = 24;
const keyOfTagBytes = 100;
const tagBytes = 420;

/** Copies the bytes, since a slice of Buffer's shared pool would keep the whole pool in memory. */
function ownBytes(bytes: Buffer): Buffer {
  if (bytes.length === bytes.buffer.byteLength) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

function sizeOf({ answer: { body, headers }, tags }: Entry, key: string): number {
  return body.length + key.length + answerBytes + headers.length * headerBytes + tags.length * keyOfTagBytes;
}

/**
 * The cached responses, bounded in bytes, with an index by cache tag. The least recently used is evicted first; a new
 * response also evicts stale ones.
 */
export class CachedResponses {
  private entries = this.noEntries();
  private tagIndex = new Map<CacheTag, TagIndexEntry>();
  private evicted = 0;

  constructor(private readonly maxBytes: number) {}

  /** The memory of the whole cache, rounded up. */
  get bytes(): number {
    return this.entries.calculatedSize + this.tagIndex.size * tagBytes;
  }

  get size(): number {
    return this.entries.size;
  }

  /** The number of evicted answers so far. */
  get evictions(): number {
    return this.evicted;
  }

  get(key: string): CachedResponse | undefined {
    return this.entries.get(key)?.answer;
  }

  /** Caches a response, unless it takes more than an eighth of the cache. */
  set(key: string, answer: CachedResponse): void {
    this.entries.delete(key);
    const kept = { ...answer, body: ownBytes(answer.body) };
    const entry: Entry = { answer: kept, tags: answer.cacheTags.map((cacheTag) => this.indexed(cacheTag)) };
    const whole = sizeOf(entry, key) + entry.tags.length * tagBytes;
    if (whole > this.maxBytes / 8) return this.dropUnused(entry.tags);
    for (const { keys } of entry.tags) keys.add(key);
    this.entries.set(key, entry);
    this.dropStale();
    while (this.bytes > this.maxBytes) this.evict();
  }

  /** Forgets every answer that depends on the cache tag. */
  forget(cacheTag: CacheTag): void {
    for (const key of this.tagIndex.get(cacheTag)?.keys ?? []) this.entries.delete(key);
  }

  /** Forgets all answers. */
  clear(): void {
    this.entries = this.noEntries();
    this.tagIndex = new Map();
  }

  private noEntries(): LRUCache<string, Entry> {
    return new LRUCache({
      max: 0,
      maxSize: Number.MAX_SAFE_INTEGER,
      sizeCalculation: sizeOf,
      dispose: ({ tags }, key) => {
        for (const { keys } of tags) keys.delete(key);
        this.dropUnused(tags);
      },
    });
  }

  /** Makes room for a new answer by removing two stale ones, so that these never fill the memory. */
  private dropStale(): void {
    for (let dropped = 0; dropped < 2; dropped++) {
      const { value: oldest } = this.entries.rvalues().next();
      if (!oldest || oldest.answer.freshUntil > performance.now()) return;
      this.entries.pop();
    }
  }

  private evict(): void {
    this.entries.pop();
    this.evicted += 1;
  }

  private indexed(cacheTag: CacheTag): TagIndexEntry {
    const there = this.tagIndex.get(cacheTag);
    if (there) return there;
    const entry = { cacheTag, keys: new Set<string>() };
    this.tagIndex.set(cacheTag, entry);
    return entry;
  }

  private dropUnused(tags: readonly TagIndexEntry[]): void {
    for (const { cacheTag, keys } of tags) if (keys.size === 0) this.tagIndex.delete(cacheTag);
  }
}

import { LRUCache } from 'lru-cache';
import type { CacheTag } from '../changes/change-bus.js';
import type { ReadyAnswer } from './ready-answer.js';

/** An answer that may be given again. */
export interface KeptAnswer extends ReadyAnswer {
  /** The route's pattern, by which it is measured. */
  readonly route: string;
  readonly cacheTags: readonly CacheTag[];
  /** By `performance.now()`; later, it must be computed anew. */
  readonly freshUntil: number;
}

/** The keys of the answers that depend on one cache tag. */
interface Shelf {
  readonly cacheTag: CacheTag;
  readonly keys: Set<string>;
}

interface Entry {
  readonly answer: KeptAnswer;
  readonly shelves: Shelf[];
}

// What things weigh beside the bytes of key and body: objects and their places in arrays and maps. Measured on the heap
// of Node 20 to 24, rounded up.
const answerBytes = 1_000;
const headerBytes = 24;
const placeOnShelfBytes = 100;
const shelfBytes = 420;

function sizeOf({ answer: { body, headers }, shelves }: Entry, key: string): number {
  return body.length + key.length + answerBytes + headers.length * headerBytes + shelves.length * placeOnShelfBytes;
}

/** Kept answers, bounded in bytes; the one asked for longest ago goes first. */
export class KeptAnswers {
  private entries = this.noEntries();
  private shelves = new Map<CacheTag, Shelf>();
  private evicted = 0;

  constructor(private readonly maxBytes: number) {}

  /** The memory that all of it takes, never less than it is. */
  get bytes(): number {
    return this.entries.calculatedSize + this.shelves.size * shelfBytes;
  }

  get size(): number {
    return this.entries.size;
  }

  /** How many answers made way for others so far. */
  get evictions(): number {
    return this.evicted;
  }

  get(key: string): KeptAnswer | undefined {
    return this.entries.get(key)?.answer;
  }

  /** Keeps an answer; one of more than an eighth of the whole is not kept. */
  set(key: string, answer: KeptAnswer): void {
    this.entries.delete(key);
    const entry: Entry = { answer, shelves: answer.cacheTags.map((cacheTag) => this.shelfOf(cacheTag)) };
    const whole = sizeOf(entry, key) + entry.shelves.length * shelfBytes;
    if (whole > this.maxBytes / 8) return this.clearAway(entry.shelves);
    for (const { keys } of entry.shelves) keys.add(key);
    this.entries.set(key, entry);
    while (this.bytes > this.maxBytes) this.evict();
  }

  /** Forgets every answer that depends on the cache tag. */
  forget(cacheTag: CacheTag): void {
    for (const key of this.shelves.get(cacheTag)?.keys ?? []) this.entries.delete(key);
  }

  /** Forgets all answers, however many, at once. */
  clear(): void {
    this.entries = this.noEntries();
    this.shelves = new Map();
  }

  private noEntries(): LRUCache<string, Entry> {
    return new LRUCache({
      max: 0,
      maxSize: Number.MAX_SAFE_INTEGER,
      sizeCalculation: sizeOf,
      dispose: ({ shelves }, key) => {
        for (const { keys } of shelves) keys.delete(key);
        this.clearAway(shelves);
      },
    });
  }

  private evict(): void {
    this.entries.pop();
    this.evicted += 1;
  }

  private shelfOf(cacheTag: CacheTag): Shelf {
    const there = this.shelves.get(cacheTag);
    if (there) return there;
    const shelf = { cacheTag, keys: new Set<string>() };
    this.shelves.set(cacheTag, shelf);
    return shelf;
  }

  private clearAway(shelves: readonly Shelf[]): void {
    for (const { cacheTag, keys } of shelves) if (keys.size === 0) this.shelves.delete(cacheTag);
  }
}

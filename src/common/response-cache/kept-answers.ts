import { LRUCache } from 'lru-cache';
import type { Topic } from '../changes/change-bus.js';

/** A whole answer, ready to be sent. */
export interface KeptAnswer {
  readonly route: string;
  /** Header names and values in turn, as `writeHead` takes them. */
  readonly headers: readonly string[];
  readonly etag: string;
  readonly body: Buffer;
  readonly topics: readonly Topic[];
  /** By `performance.now()`; later, it must be computed anew. */
  readonly freshUntil: number;
}

// What an entry weighs beside its bytes: the objects, its place in the maps. Measured on the heap, rounded up.
const entryBytes = 1_200;
const topicBytes = 160;

/** Kept answers, bounded in bytes; the one asked for longest ago goes first. */
export class KeptAnswers {
  private readonly answers: LRUCache<string, KeptAnswer>;
  private readonly keysOfTopic = new Map<Topic, Set<string>>();
  evictions = 0;

  constructor(maxBytes: number) {
    this.answers = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.max(1, Math.floor(maxBytes / 8)),
      sizeCalculation: ({ body, topics, headers }, key) =>
        body.length + 2 * key.length + topics.length * topicBytes + headers.length * 40 + entryBytes,
      dispose: (answer, key, reason) => {
        this.unlist(key, answer.topics);
        if (reason === 'evict') this.evictions += 1;
      },
    });
  }

  get bytes(): number {
    return this.answers.calculatedSize;
  }

  get size(): number {
    return this.answers.size;
  }

  get(key: string): KeptAnswer | undefined {
    return this.answers.get(key);
  }

  set(key: string, answer: KeptAnswer): void {
    this.answers.set(key, answer);
    if (this.answers.peek(key) !== answer) return;
    for (const topic of answer.topics) {
      const keys = this.keysOfTopic.get(topic);
      if (keys) keys.add(key);
      else this.keysOfTopic.set(topic, new Set([key]));
    }
  }

  /** Forgets every answer that depends on the topic. */
  forget(topic: Topic): void {
    for (const key of this.keysOfTopic.get(topic) ?? []) this.answers.delete(key);
  }

  clear(): void {
    this.answers.clear();
    this.keysOfTopic.clear();
  }

  private unlist(key: string, topics: readonly Topic[]): void {
    for (const topic of topics) {
      const keys = this.keysOfTopic.get(topic);
      keys?.delete(key);
      if (keys?.size === 0) this.keysOfTopic.delete(topic);
    }
  }
}

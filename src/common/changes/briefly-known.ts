import { LRUCache } from 'lru-cache';
import type { ChangeBus, Topic } from './change-bus.js';
import { ChangeClock } from './change-clock.js';
import { freshMs } from './freshness.js';

interface Known<T> {
  value: T;
  topics: readonly Topic[];
  freshUntil: number;
}

type Read<T> = () => Promise<T>;

/** Values read from the database, known until one of their topics changes here or on another node, or 1.8 s pass. */
export class BrieflyKnown<T> {
  private readonly clock = new ChangeClock();
  private readonly known: LRUCache<string, Known<T>>;
  private readonly keysOfTopic = new Map<Topic, Set<string>>();

  constructor(changes: ChangeBus, most: number) {
    this.known = new LRUCache({ max: most, dispose: ({ topics }, key) => this.unlist(topics, key) });
    changes.onChange((topics) => {
      this.clock.tick(topics);
      for (const topic of topics) for (const key of this.keysOfTopic.get(topic) ?? []) this.known.delete(key);
    });
    changes.onMissed(() => {
      this.clock.tickAll();
      this.known.clear();
    });
  }

  /** How many values are known, the outdated among them. */
  get size(): number {
    return this.known.size;
  }

  /** The value known under the key, or the one that `read` answers. */
  async get(key: string, topics: readonly Topic[], read: Read<T>): Promise<T> {
    const known = this.known.get(key);
    return known && known.freshUntil > performance.now() ? known.value : this.renew(key, topics, read);
  }

  /** The value that `read` answers, known from then on; one that changed while it was read is not. */
  async renew(key: string, topics: readonly Topic[], read: Read<T>): Promise<T> {
    const freshUntil = performance.now() + freshMs;
    const reading = this.clock.begin();
    try {
      const value = await read();
      if (!this.clock.hasChanged(reading, topics)) this.keep(key, { value, topics, freshUntil });
      return value;
    } finally {
      this.clock.end(reading);
    }
  }

  private keep(key: string, known: Known<T>): void {
    this.known.set(key, known);
    for (const topic of known.topics) {
      const keys = this.keysOfTopic.get(topic);
      if (keys) keys.add(key);
      else this.keysOfTopic.set(topic, new Set([key]));
    }
  }

  private unlist(topics: readonly Topic[], key: string): void {
    for (const topic of topics) {
      const keys = this.keysOfTopic.get(topic);
      keys?.delete(key);
      if (keys?.size === 0) this.keysOfTopic.delete(topic);
    }
  }
}

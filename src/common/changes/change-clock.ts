import type { Topic } from './change-bus.js';

/** A reading that is under way, begun after so many changes. */
export interface Reading {
  readonly begunAt: number;
}

/**
 * Counts changes, so that a reading can tell whether what it shows changed since it began. It remembers no change for
 * longer than a reading is under way that began before it.
 */
export class ChangeClock {
  private now = 0;
  private everythingAt = 0;
  /** The last change of each topic, oldest first. */
  private readonly changedAt = new Map<Topic, number>();
  /** Oldest first. */
  private readonly readings = new Set<Reading>();

  /** The number of changes so far. */
  get time(): number {
    return this.now;
  }

  /** The number of topics whose last change is remembered. */
  get remembered(): number {
    return this.changedAt.size;
  }

  /** Notes a change of `topics`. */
  tick(topics: readonly Topic[]): void {
    this.now += 1;
    if (this.readings.size === 0) return;
    for (const topic of topics) {
      this.changedAt.delete(topic);
      this.changedAt.set(topic, this.now);
    }
  }

  /** Notes that anything may have changed. */
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

  /** Whether any of `topics` changed since the reading began. */
  hasChanged({ begunAt }: Reading, topics: readonly Topic[]): boolean {
    return this.everythingAt > begunAt || topics.some((topic) => (this.changedAt.get(topic) ?? 0) > begunAt);
  }

  private forgetUntil(time: number): void {
    for (const [topic, at] of this.changedAt) {
      if (at > time) return;
      this.changedAt.delete(topic);
    }
  }
}

import type { Topic } from './change-bus.js';

/** A reading that is under way, begun after so many changes. */
export interface Reading {
  readonly begunAt: number;
}

/**
 * Counts changes, so that a reading can tell whether what it shows changed since it began. It remembers changes only
 * while a reading is under way.
 */
export class ChangeClock {
  private now = 0;
  private everythingAt = 0;
  private readonly changedAt = new Map<Topic, number>();
  private readonly readings = new Set<Reading>();

  /** Notes a change of `topics`. */
  tick(topics: readonly Topic[]): void {
    this.now += 1;
    if (this.readings.size === 0) return;
    for (const topic of topics) this.changedAt.set(topic, this.now);
  }

  /** Notes that anything may have changed. */
  tickAll(): void {
    this.now += 1;
    this.everythingAt = this.now;
  }

  /** The number of changes so far. */
  time(): number {
    return this.now;
  }

  begin(): Reading {
    const reading = { begunAt: this.now };
    this.readings.add(reading);
    return reading;
  }

  end(reading: Reading): void {
    this.readings.delete(reading);
    if (this.readings.size === 0) this.changedAt.clear();
  }

  /** The time of the last change of any of `topics` since the reading began, or null where there was none. */
  changedSince(reading: Reading, topics: readonly Topic[]): number | null {
    let last = this.everythingAt;
    for (const topic of topics) last = Math.max(last, this.changedAt.get(topic) ?? 0);
    return last > reading.begunAt ? last : null;
  }
}

import { LRUCache } from 'lru-cache';

const slowMs = 500;
const keptMs = 3_600_000;
const mostKept = 100;
const mostCharacters = 1_000;

/** How often a statement took long within an hour. */
export interface SlowStatement {
  /** Without its values. */
  text: string;
  times: number;
  /** Each with the wait for a connection, and for locks. */
  longestMs: number;
  totalMs: number;
  lastAt: string;
}

/** The statements that took more than half a second, for as long as one was slow within the hour. */
export class SlowStatements {
  private readonly found = new LRUCache<string, SlowStatement>({ max: mostKept, ttl: keptMs });

  note(text: string, milliseconds: number): void {
    if (milliseconds < slowMs) return;
    const ms = Math.round(milliseconds);
    const { times = 0, longestMs = 0, totalMs = 0 } = this.found.get(text) ?? {};
    this.found.set(text, {
      text: text.replace(/\s+/g, ' ').trim().slice(0, mostCharacters),
      times: times + 1,
      longestMs: Math.max(longestMs, ms),
      totalMs: totalMs + ms,
      lastAt: new Date().toISOString(),
    });
  }

  /** Those that took most time together. */
  worst(most: number): SlowStatement[] {
    return [...this.found.values()].toSorted((one, other) => other.totalMs - one.totalMs).slice(0, most);
  }
}

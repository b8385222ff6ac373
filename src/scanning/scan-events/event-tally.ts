import type { EventRow } from './event-rows.js';

/** The number of events of each hour and level. */
export class EventTally {
  private readonly counts = new Map<string, number>();

  add({ created_at, level }: Pick<EventRow, 'created_at' | 'level'>): void {
    const key = `${created_at.slice(0, 'yyyy-mm-ddThh'.length)} ${level}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
  }

  get isEmpty(): boolean {
    return this.counts.size === 0;
  }

  /** Rows of the hour's beginning, the level and the number. */
  toJSON(): { hour: string; level: string; count: number }[] {
    return Array.from(this.counts, ([key, count]) => {
      const [hour = '', level = ''] = key.split(' ');
      return { hour: `${hour}:00Z`, level, count };
    });
  }
}

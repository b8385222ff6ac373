import type { EventRow } from './event-rows.js';

const maxRows = 1_000;
const maxCharacters = 2 ** 20;

/** Gathers rows into JSON arrays of a good size for one statement. */
export class EventBatch {
  private rows: string[] = [];
  private characters = 0;

  get isFull(): boolean {
    return this.rows.length >= maxRows || this.characters >= maxCharacters;
  }

  get isEmpty(): boolean {
    return this.rows.length === 0;
  }

  add(row: EventRow): void {
    const json = JSON.stringify(row);
    this.rows.push(json);
    this.characters += json.length;
  }

  /** Empties the batch; returns its rows as one line of JSON. */
  take(): string {
    const batch = `[${this.rows.join(',')}]`;
    this.rows = [];
    this.characters = 0;
    return batch;
  }
}

import { hash } from 'node:crypto';
import { type Key, KeyTable, keyWords } from './key-table.js';

const wordBytes = 4;

/** Counts texts by half of their SHA-256: 30 to 60 bytes each, however long they are. */
export class DigestCounts {
  private readonly table = new KeyTable();
  private counts = new Uint32Array(16);
  private readonly key: Key = new Uint32Array(keyWords);

  /** Counts the text once more; returns how often it has been counted. */
  count(text: string): number {
    const digest = hash('sha256', text, 'buffer');
    for (let word = 0; word < keyWords; word++) this.key[word] = digest.readUInt32LE(word * wordBytes);
    const number = this.table.add(this.key);
    if (number === this.counts.length) this.grow();
    const times = (this.counts[number] ?? 0) + 1;
    this.counts[number] = times;
    return times;
  }

  private grow(): void {
    const counts = new Uint32Array(this.counts.length * 2);
    counts.set(this.counts);
    this.counts = counts;
  }
}

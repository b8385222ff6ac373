import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ReadAhead } from '../../../../src/platform/concurrency/read-ahead.js';

/** Values that record when they are begun and read; the last one fails if `failing`. */
async function* noted(notes: string[], values: number[], failing = false): AsyncGenerator<number> {
  for (const value of values) {
    notes.push(`begun ${value}`);
    await sleep(5);
    if (failing && value === values.at(-1)) throw new Error(`${value} failed`);
    notes.push(`read ${value}`);
    yield value;
  }
}

describe('ReadAhead', () => {
  it('reads the next value while the current one is worked on, and returns them in order', async () => {
    const notes: string[] = [];
    const reading = new ReadAhead(noted(notes, [1, 2]));
    for (let value = await reading.next(); value !== undefined; value = await reading.next()) {
      reading.begin();
      await sleep(15);
      notes.push(`worked on ${value}`);
    }
    expect(notes).toEqual(['begun 1', 'read 1', 'begun 2', 'read 2', 'worked on 1', 'worked on 2']);
  });

  it('throws a failure when the value is asked for', async () => {
    const reading = new ReadAhead(noted([], [1, 2], true));
    expect(await reading.next()).toBe(1);
    reading.begin();
    await sleep(15); // it has failed, and nobody has asked yet
    await expect(reading.next()).rejects.toThrow('2 failed');
    await reading.rest();
  });

  it('settles once everything that was begun has been read', async () => {
    const notes: string[] = [];
    const reading = new ReadAhead(noted(notes, [1, 2]));
    await reading.next();
    reading.begin();
    await reading.rest();
    expect(notes.at(-1)).toBe('read 2');
  });
});

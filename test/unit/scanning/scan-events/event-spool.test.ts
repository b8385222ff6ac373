import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { EventSpool } from '../../../../src/scanning/scan-events/event-spool.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function all(spool: EventSpool): Promise<string[]> {
  const batches: string[] = [];
  for await (const batch of spool.batches()) batches.push(batch);
  return batches;
}

describe('An EventSpool', () => {
  const batches = ['short', 'x'.repeat(50), 'ü'.repeat(40), 'y', 'z'.repeat(200)];

  it('gives back what it took, in its order and more than once, whatever lies in the file', async () => {
    for (const memoryBytes of [0, 60, 1_000]) {
      const spool = new EventSpool(memoryBytes, folder);
      for (const batch of batches) await spool.add(batch);
      expect(await all(spool)).toEqual(batches);
      expect(await all(spool)).toEqual(batches);
      await spool.close();
    }
  });

  it('leaves no file that has a name', async () => {
    const spool = new EventSpool(0, folder);
    await spool.add('in the file');
    expect(await readdir(folder)).toEqual([]);
    await spool.close();
  });

  it('says that there is no room where it cannot write', async () => {
    const spool = new EventSpool(0, join(folder, 'nowhere'));
    await expect(spool.add('x')).rejects.toMatchObject({ kind: 'unavailable' });
    await spool.close();
  });
});

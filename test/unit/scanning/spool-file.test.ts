import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpoolFile } from '../../../src/scanning/spool-file.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'spool-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function linesOf(spool: SpoolFile): Promise<string[]> {
  const all: string[] = [];
  for await (const lines of spool.lines()) all.push(...lines.map(String));
  return all;
}

describe('A spool file', () => {
  const lines = ['short', 'x'.repeat(50), 'ü'.repeat(40), 'y', 'z'.repeat(200), 'w'.repeat(200_000), 'last'];

  it.each([0, 60, 1_000, 150_000, 1_000_000])(
    'gives back its lines in order and more than once, with %i bytes in memory',
    async (memoryBytes) => {
      const spool = new SpoolFile({ memoryBytes, folder });
      for (const line of lines) await spool.writeLine(line);
      expect(await linesOf(spool)).toEqual(lines);
      await spool.writeLine('later');
      expect(await linesOf(spool)).toEqual([...lines, 'later']);
      await spool.close();
    },
  );

  it('gives back its bytes as they were', async () => {
    const spool = new SpoolFile({ memoryBytes: 10, folder });
    const pieces = [Buffer.from([0, 255, 10]), Buffer.alloc(100_000, 7), Buffer.from('end')];
    for (const piece of pieces) await spool.write(piece);
    const read: Buffer[] = [];
    for await (const piece of spool.read()) read.push(piece);
    expect(Buffer.concat(read).equals(Buffer.concat(pieces))).toBe(true);
    await spool.close();
  });

  it('leaves no file that has a name', async () => {
    const spool = new SpoolFile({ memoryBytes: 0, folder });
    await spool.writeLine('in the file');
    expect(await readdir(folder)).toEqual([]);
    await spool.close();
  });

  it('is unavailable where it cannot be written', async () => {
    const spool = new SpoolFile({ memoryBytes: 0, folder: join(folder, 'nowhere') });
    await expect(spool.writeLine('x')).rejects.toMatchObject({ kind: 'unavailable' });
    await spool.close();
  });
});

import { constants, watch } from 'node:fs';
import { mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpoolFile } from '../../../src/scanning/spool-file.js';
import { Deferred } from '../../support/deferred.js';

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
    'returns its lines in order and more than once, with %i bytes in memory',
    async (memoryBytes) => {
      const spool = new SpoolFile({ memoryBytes, folder });
      for (const line of lines) await spool.writeLine(line);
      expect(await linesOf(spool)).toEqual(lines);
      await spool.writeLine('later');
      expect(await linesOf(spool)).toEqual([...lines, 'later']);
      await spool.close();
    },
  );

  it.each([0, 60, 150_000])(
    'returns lines while they are being written, with %i bytes in memory',
    async (memoryBytes) => {
      const spool = new SpoolFile({ memoryBytes, folder });
      const end = new Deferred<void>();
      const following = spool.linesUntil(end.promise);
      const read: string[] = [];
      for (const [at, line] of lines.entries()) {
        await spool.writeLine(line);
        while (read.length <= at) read.push(...((await following.next()).value ?? []).map(String));
      }
      expect(read).toEqual(lines);
      const last = following.next();
      end.resolve();
      expect(await last).toEqual({ done: true, value: undefined });
      await spool.close();
    },
  );

  it('returns all lines to a reader that follows a faster writer, also more than once', async () => {
    const spool = new SpoolFile({ memoryBytes: 0, folder });
    const written = (async () => {
      for (let at = 0; at < 500; at++) await spool.writeLine(`${at} ${'x'.repeat(at * 10)}`);
    })();
    const follow = async (): Promise<string[]> => {
      const all: string[] = [];
      for await (const some of spool.linesUntil(written))
        all.push(...some.map((line) => String(line).split(' ')[0] ?? ''));
      return all;
    };
    const numbers = Array.from({ length: 500 }, (_, at) => String(at));
    expect(await Promise.all([follow(), follow()])).toEqual([numbers, numbers]);
    expect(await follow()).toEqual(numbers);
    await spool.close();
  });

  it('throws the error that its writer ended with to a reader that follows', async () => {
    const spool = new SpoolFile({ memoryBytes: 0, folder });
    const end = new Deferred<void>();
    await spool.writeLine('first');
    const following = spool.linesUntil(end.promise);
    expect((await following.next()).value?.map(String)).toEqual(['first']);
    const next = following.next();
    end.reject(new Error('broken'));
    await expect(next).rejects.toThrow('broken');
    await spool.close();
  });

  it('returns its bytes unchanged', async () => {
    const spool = new SpoolFile({ memoryBytes: 10, folder });
    const pieces = [Buffer.from([0, 255, 10]), Buffer.alloc(100_000, 7), Buffer.from('end')];
    for (const piece of pieces) await spool.write(piece);
    const read: Buffer[] = [];
    for await (const piece of spool.read()) read.push(piece);
    expect(Buffer.concat(read).equals(Buffer.concat(pieces))).toBe(true);
    await spool.close();
  });

  it('has no name at any time, where the file system knows such files', async () => {
    const flags = 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR;
    const isKnown = await open(folder, flags).then(
      (file) => file.close().then(() => true),
      () => false,
    );
    const seen: unknown[] = [];
    // A name that comes or goes is a `rename`; the bytes of the file without one are a `change`.
    const watcher = watch(folder, (event, name) => void (event === 'rename' && seen.push(name)));
    const spool = new SpoolFile({ memoryBytes: 0, folder });
    await spool.writeLine('kept');
    await writeFile(join(folder, 'end'), '');
    while (!seen.includes('end')) await sleep(1);
    watcher.close();
    await spool.close();
    expect(seen.some((name) => name !== 'end')).toBe(!isKnown);
  });

  it('leaves no named file', async () => {
    const spool = new SpoolFile({ memoryBytes: 0, folder });
    await spool.writeLine('in the file');
    expect(await readdir(folder)).toEqual([]);
    await spool.close();
  });

  it('is unavailable if it cannot be written', async () => {
    const spool = new SpoolFile({ memoryBytes: 0, folder: join(folder, 'nowhere') });
    await expect(spool.writeLine('x')).rejects.toMatchObject({ kind: 'unavailable' });
    await spool.close();
  });
});

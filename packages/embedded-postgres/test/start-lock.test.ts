import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withStartLock } from '../src/start-lock.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'start-lock-'));
  file = join(folder, 'lock');
});

afterEach(() => rm(folder, { recursive: true }));

describe('withStartLock', () => {
  it('lets one piece of work run at a time', async () => {
    let working = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      working += 1;
      most = Math.max(most, working);
      await sleep(5);
      working -= 1;
    };
    await Promise.all(Array.from({ length: 8 }, () => withStartLock(file, work)));
    expect(most).toBe(1);
  });

  it('is free again after work that failed', async () => {
    await expect(withStartLock(file, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken from a holder that died', async () => {
    await writeFile(file, '4194999 1');
    expect(await withStartLock(file, () => Promise.resolve('done'))).toBe('done');
  });

  it('is taken from a holder whose process id belongs to another process now', async () => {
    await writeFile(file, `${process.pid} 1`);
    expect(await withStartLock(file, () => Promise.resolve('done'))).toBe('done');
  });

  it('is taken from a holder that died before it wrote its name', async () => {
    await writeFile(file, '');
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(file, longAgo, longAgo);
    expect(await withStartLock(file, () => Promise.resolve('done'))).toBe('done');
  });
});

import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { logSize, openLog, readLog, trimLog } from '../src/server-log.js';

const OVERFULL = 'x'.repeat(8 * 1024 * 1024 + 1);

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'server-log-'));
  file = join(folder, 'postgres.log');
});

afterEach(() => rm(folder, { recursive: true }));

describe('trimLog', () => {
  it('keeps the last full log beside the new one', async () => {
    await writeFile(file, OVERFULL);
    await trimLog(file);
    expect([await logSize(file), await logSize(`${file}.1`)]).toEqual([0, OVERFULL.length]);
  });

  it('lets a server that has the log open write on at its new end', async () => {
    const handle = await openLog(file);
    try {
      await handle.write(OVERFULL);
      await trimLog(file);
      await handle.write('after');
      expect(await readFile(file, 'utf8')).toBe('after');
    } finally {
      await handle.close();
    }
  });

  it('leaves a short log alone, and accepts a missing one', async () => {
    await trimLog(file);
    await writeFile(file, 'short');
    await trimLog(file);
    expect(await readFile(file, 'utf8')).toBe('short');
  });
});

describe('readLog', () => {
  it('returns what was written since', async () => {
    await writeFile(file, 'before ');
    const offset = await logSize(file);
    await appendFile(file, 'since');
    expect(await readLog(file, offset)).toBe('since');
  });

  it('reads a log from the beginning if it was trimmed meanwhile', async () => {
    await writeFile(file, 'new');
    expect(await readLog(file, 1_000)).toBe('new');
  });

  it('is empty if there is no log', async () => {
    expect(await readLog(file, 0)).toBe('');
  });
});

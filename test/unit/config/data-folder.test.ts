import { chmod, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeDataFolder } from '../../../src/config/data-folder.js';

const isRoot = process.getuid?.() === 0;
let parent: string;
let folder: string;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'data-folder-'));
  folder = join(parent, 'data');
});
afterEach(() => rm(parent, { recursive: true, force: true }));

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe('closeDataFolder', () => {
  it('makes a folder that only its owner can enter', async () => {
    closeDataFolder(folder);
    expect(await modeOf(folder)).toBe('700');
  });

  it.each([
    [0o777, isRoot ? '711' : '700'],
    [0o755, isRoot ? '711' : '700'],
    [0o750, isRoot ? '710' : '700'],
    [0o700, '700'],
    [0o500, '500'],
  ])('closes one of mode %o to all but its owner', async (mode, closed) => {
    await mkdir(folder);
    await chmod(folder, mode);
    closeDataFolder(folder);
    expect(await modeOf(folder)).toBe(closed);
  });

  it('leaves a file at its path for the first write to report', async () => {
    await rm(parent, { recursive: true });
    closeDataFolder('/dev/null/data');
    await expect(stat(parent)).rejects.toThrow(/ENOENT/);
  });
});

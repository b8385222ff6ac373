import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeMarker, writeNote } from '../src/cluster-place.js';
import { tidyOutside } from '../src/outside.js';

let parent: string;
let dataDir: string;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'outside-'));
  [parent, dataDir] = [join(folder, 'parent'), join(folder, 'data')];
  await Promise.all([mkdir(parent), mkdir(dataDir)]);
});

afterEach(() => rm(join(parent, '..'), { recursive: true }));

async function cluster(name: string, owner: string, durable: boolean): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder);
  await writeNote(folder, { password: 'secret', dataDir: owner, durable });
  return folder;
}

describe('tidyOutside', () => {
  it('removes what was made with fsync off once its data folder is gone', async () => {
    await cluster('data-1', join(dataDir, 'gone'), false);
    await tidyOutside(parent, dataDir, () => undefined);
    expect(await readdir(parent)).toEqual([]);
  });

  it('keeps durable data even if its data folder is gone: its disk may not be mounted', async () => {
    await cluster('data-1', join(dataDir, 'gone'), true);
    await tidyOutside(parent, dataDir, () => undefined);
    expect(await readdir(parent)).toEqual(['data-1']);
  });

  it('keeps what was made with fsync off while its data folder exists', async () => {
    await cluster('data-1', dataDir, false);
    await tidyOutside(parent, dataDir, () => undefined);
    expect(await readdir(parent)).toEqual(['data-1']);
  });

  it('names older data of the same folder, but not the current data', async () => {
    const lines: string[] = [];
    const earlier = await cluster('data-1', dataDir, true);
    const present = await cluster('data-2', dataDir, true);
    await writeMarker(dataDir, present);
    await tidyOutside(parent, dataDir, (line) => lines.push(line));
    expect(lines).toEqual([expect.stringContaining(earlier)]);
    expect(await readdir(parent)).toEqual(['data-1', 'data-2']);
  });
});

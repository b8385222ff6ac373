import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tryRestore } from '../../../src/cli/backup/try-restore.js';
import { dataDisks } from '../../../src/config/data-disks.js';
import { folderElsewhere, otherDisk, putDatabase } from '../../support/database-elsewhere.js';

let dataDir: string;
let elsewhere: Awaited<ReturnType<typeof folderElsewhere>>;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'data-disks-'));
  elsewhere = await folderElsewhere();
});
afterEach(async () => {
  await rm(dataDir, { recursive: true });
  await elsewhere.remove();
});

const foldersOf = async () => (await dataDisks(dataDir)).map(({ folder }) => folder);

describe('The disks of the data', () => {
  it('are that of DATA_DIR before there is a database, and where it lies within', async () => {
    expect(await foldersOf()).toEqual([dataDir]);
    await putDatabase(dataDir, join(dataDir, 'postgres'));
    expect(await foldersOf()).toEqual([dataDir]);
  });

  it('are that of DATA_DIR alone where the embedded database was given up, and its files are gone', async () => {
    await putDatabase(dataDir, join(elsewhere.path, 'postgres'));
    await rm(join(elsewhere.path, 'postgres'), { recursive: true });
    expect(await foldersOf()).toEqual([dataDir]);
  });

  it('are two where the database lies on another one, each with its size and what is free', async () => {
    await putDatabase(dataDir, join(elsewhere.path, 'postgres'));
    expect(await foldersOf()).toEqual([dataDir, elsewhere.path]);
    const { blocks, bsize } = await statfs(otherDisk);
    const [, second] = await dataDisks(dataDir);
    expect(second?.size).toBe(blocks * bsize);
    expect(second?.free).toBeLessThanOrEqual(blocks * bsize);
  });

  it('are both asked for room before a trial restore', async () => {
    await putDatabase(dataDir, join(elsewhere.path, 'postgres'));
    const [own, other] = await dataDisks(dataDir);
    const tight = (own?.free ?? 0) < (other?.free ?? 0) ? own : other;
    const roomy = tight === own ? other : own;
    // Enough on one of them, too much for the other.
    const bytes = ((tight?.free ?? 0) + (roomy?.free ?? 0)) / 2;
    const trial = tryRestore(
      { file: join(dataDir, 'none.backup'), bytes, written: 0, pictures: 0 },
      { dataDir, passphrase: undefined, signal: AbortSignal.timeout(60_000) },
    );
    await expect(trial).rejects.toThrow(`in ${tight?.folder}, where `);
  });
});

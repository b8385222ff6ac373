import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findCluster } from '@store-service/embedded-postgres';
import { startS3Server } from '../support/s3-server.js';
import { backupsIn, backupState, ScheduledBackups, untilBackup } from '../support/scheduled-backups.js';

const older = 'store-2026-01-01T03-15-00Z.backup';
const wholeNames = /^store-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;

let backups: ScheduledBackups;
beforeEach(async () => {
  backups = await ScheduledBackups.open();
  await mkdir(backups.shelf);
  await writeFile(join(backups.shelf, older), 'of before');
});
afterEach(() => backups.close());

describe('A disk that is full in the middle of a backup', () => {
  it('leaves no half of one, keeps the older ones, is told to the admins once, and is over once there is room', async () => {
    const sign = join(backups.scene.folder, 'the-disk-is-full');
    const preload = pathToFileURL('test/support/full-disk.mjs').href;
    const node = await backups.serve({ NODE_OPTIONS: `--import ${preload}`, FULL_DISK: sign });
    await writeFile(sign, '');
    for (const tries of [1, 2]) {
      await backups.dueNow();
      await untilBackup(async () => (await backups.failures()).length === tries, 'a failure');
      expect(await backupState(node)).toBe('failed');
      expect(await backupsIn(backups.shelf)).toEqual([older]);
      expect(await backups.remains()).toEqual([]);
    }
    expect((await backups.failures())[0]).toMatch(/shelf cannot be written: the disk is full$/);
    await untilBackup(async () => (await backups.told()).length > 0, 'a mail');
    await rm(sign);
    await backups.dueNow();
    await untilBackup(async () => (await backupState(node)) === 'ok', 'a backup');
    await untilBackup(async () => (await backups.told()).length > 1, 'another mail');
    expect((await backups.told()).sort()).toEqual(['Backups are made again', 'No backup could be made']);
    expect(await backupsIn(backups.shelf)).toEqual([older, expect.stringMatching(wholeNames)]);
  }, 480_000);
});

describe('A bucket that is away for a day', () => {
  it('is asked again and told of once, whether it is gone or refuses; nothing piles up meanwhile', async () => {
    const s3 = await startS3Server();
    try {
      const node = await backups.serve({ BACKUP_TO: s3.url.replace('/shop?', '/nightly?') });
      await s3.leave();
      await backups.dueNow();
      await untilBackup(async () => (await backups.failures()).length === 1, 'a failure');
      expect(await backups.remains()).toEqual([]);
      await s3.comeBack();
      s3.mood = 'unavailable';
      await backups.dueNow();
      await untilBackup(async () => (await backups.failures()).length === 2, 'another failure');
      for (const reason of await backups.failures()) {
        expect(reason).toMatch(/^The bucket of BACKUP_TO cannot be used: POST store-/);
      }
      expect(await backups.remains()).toEqual([]);
      s3.mood = 'well';
      await backups.dueNow();
      await untilBackup(async () => (await backupState(node)) === 'ok', 'a backup');
      await untilBackup(async () => (await backups.told()).length > 1, 'another mail');
      expect((await backups.told()).sort()).toEqual(['Backups are made again', 'No backup could be made']);
      expect(await backups.remains()).toEqual([]);
    } finally {
      await s3.close();
    }
  }, 480_000);
});

describe('A trial restore that fails', () => {
  it('keeps the backup from its name: it says why, and the next one is made', async () => {
    const { scene, dataDir, shelf } = backups;
    const [row] = await backups.inDatabase<{ path: string }>(
      'CREATE TABLE letters (body text)',
      `INSERT INTO letters VALUES ('Dear Ada')`,
      `SELECT pg_relation_filepath('letters') AS path`,
    );
    // As a disk loses it: the server does not notice, and its copy lacks it too.
    await rm(join((await findCluster(dataDir)) ?? '', row?.path ?? ''));
    const place = { BACKUP_TO: shelf };
    expect(await scene.run(dataDir, ['--backup'], place).ended).toEqual({
      code: 1,
      output: expect.stringMatching(/The trial restore of the backup failed: could not open file/),
    });
    expect(await backupsIn(shelf)).toEqual([older]);
    expect(await backups.remains()).toEqual([]);
    await backups.inDatabase('DROP TABLE letters');
    expect(await scene.run(dataDir, ['--backup'], place).ended).toMatchObject({ code: 0 });
    expect(await backupsIn(shelf)).toEqual([older, expect.stringMatching(wholeNames)]);
  }, 240_000);
});

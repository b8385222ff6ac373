import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findCluster } from '@store-service/embedded-postgres';
import { type BackupScene, OrderingShopper, signInAgain } from '../support/backup-scene.js';
import { until } from '../support/receiver.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';
import {
  backupsIn,
  backupState as state,
  passphrase,
  ScheduledBackups,
  untilBackup,
} from '../support/scheduled-backups.js';

let backups: ScheduledBackups;
let scene: BackupScene;
let dataDir: string;
let shelf: string;
beforeEach(async () => {
  backups = await ScheduledBackups.open();
  ({ scene, dataDir, shelf } = backups);
});
afterEach(() => backups.close());

describe('A backup by schedule', () => {
  it('is made once of two nodes, tried, and can be restored by its place alone', async () => {
    const nodes = await Promise.all([backups.serve(passphrase), backups.serve(passphrase)]);
    const shopper = await OrderingShopper.join(nodes[0]);
    expect(await state(nodes[0])).toBe('none');
    await mkdir(shelf);
    const old = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => `store-${day}T03-15-00Z.backup`);
    for (const name of [...old, 'monday.backup']) await writeFile(join(shelf, name), 'of before');
    await backups.dueNow();
    const isNew = async () => (await backupsIn(shelf)).some((name) => !old.includes(name) && name.startsWith('store-'));
    await untilBackup(isNew, 'a backup');
    await untilBackup(async () => (await state(nodes[1])) === 'ok', 'its record');
    const [row] = await backups.inDatabase<{ kept: string; began: string }>(
      `SELECT count(*) FILTER (WHERE outcome = 'kept') AS kept, count(*) FILTER (WHERE outcome <> 'awaited') AS began FROM backups`,
    );
    expect(row).toEqual({ kept: '1', began: '1' });
    // Of the last two days with backups the newest, and what is none of ours.
    const left = await backupsIn(shelf);
    const made = left.find((name) => !old.includes(name) && name !== 'monday.backup');
    expect(new Set(left)).toEqual(new Set(['monday.backup', old[2], made]));
    expect(left).toHaveLength(3);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);

    const elsewhere = await scene.dataFolder('elsewhere');
    const place = { ...passphrase, BACKUP_TO: shelf };
    expect(await scene.run(elsewhere, ['--restore', 'latest'], place).ended).toMatchObject({ code: 0 });
    const restored = await backups.serve({ DATA_DIR: elsewhere, BACKUP_SCHEDULE: 'off' });
    expect(await signInAgain(restored, shopper)).toEqual(expect.any(String));
    expect(await state(restored)).toBe('off');
  }, 480_000);

  it('that fails is mailed to the admins once, shows, and is made when it can be', async () => {
    await writeFile(shelf, 'no folder');
    const node = await backups.serve();
    await backups.dueNow();
    await untilBackup(async () => (await state(node)) === 'failed', 'the failure');
    await untilBackup(async () => (await backups.told()).length > 0, 'a mail');
    await backups.dueNow();
    await untilBackup(async () => (await backups.failures()).length === 2, 'another try');
    expect((await backups.failures())[0]).toMatch(
      /shelf cannot be written: the file exists already|a part of its path is not a folder/,
    );
    await rm(shelf);
    await backups.dueNow();
    await untilBackup(async () => (await state(node)) === 'ok', 'a backup');
    await untilBackup(async () => (await backups.told()).length === 2, 'another mail');
    expect((await backups.told()).sort()).toEqual(['Backups are made again', 'No backup could be made']);
  }, 600_000);

  it('that is killed in the middle with its service leaves nothing, and is made after the next start', async () => {
    const node = await backups.serve();
    await OrderingShopper.join(node);
    await backups.dueNow();
    const isWriting = async () =>
      (await readdir(shelf).catch(() => [])).some((name) => name.startsWith('.backup.partial-'));
    await until(isWriting, 'its beginning');
    await backups.kill(node);
    const next = await backups.serve();
    // The queue waits until the killed worker counts as dead.
    await untilBackup(async () => (await state(next)) === 'ok', 'a backup');
    expect((await readdir(shelf)).filter((name) => name.startsWith('.'))).toEqual([]);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
  }, 600_000);
});

describe('npm run backup without a file', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server();
  });
  afterAll(() => s3.close());
  beforeEach(() => {
    s3.mood = 'well';
  });

  it('fills a bucket, from which a restore takes it; says so while that is away', async () => {
    const place = { BACKUP_TO: s3.url.replace('/shop?', '/nightly?') };
    expect(await scene.run(dataDir, ['--backup'], place).ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/s3:\/\/pictures\/nightly\/store-\S+Z\.backup: .* MB/),
    });
    const elsewhere = await scene.dataFolder('elsewhere');
    expect(await scene.run(elsewhere, ['--restore', 'latest'], place).ended).toMatchObject({ code: 0 });
    expect(existsSync(join(elsewhere, 'jwt-secret'))).toBe(true);
    s3.mood = 'unavailable';
    const away = await scene.run(dataDir, ['--backup'], place).ended;
    expect(away).toEqual({
      code: 1,
      output: expect.stringContaining('The bucket of BACKUP_TO cannot be used: POST store-'),
    });
    s3.mood = 'well';
    expect((await readdir(dataDir)).filter((name) => /new-|partial/.test(name))).toEqual([]);
  });

  it('that is killed in its trial leaves neither a server nor its files, once the next one is made', async () => {
    const place = { BACKUP_TO: shelf };
    const { child, ended } = scene.run(dataDir, ['--backup'], place);
    let cluster: string | null = null;
    await until(async () => {
      const trial = (await readdir(dataDir)).find((name) => name.startsWith('trial.new-'));
      cluster = trial === undefined ? null : await findCluster(join(dataDir, trial)).catch(() => null);
      return cluster !== null;
    }, 'the trial');
    child.kill('SIGKILL');
    await ended;
    expect(existsSync(cluster ?? '')).toBe(true);
    expect(await scene.run(dataDir, ['--backup'], place).ended).toMatchObject({ code: 0 });
    expect(existsSync(cluster ?? '')).toBe(false);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
  });

  it('holds pictures and keys beside a database of your own, and says what it does not hold', async () => {
    const url = 'postgres://store:secret@127.0.0.1:1/store';
    const beside = await scene.dataFolder('beside');
    await mkdir(join(beside, 'uploads', 'avatar'), { recursive: true });
    await writeFile(join(beside, 'uploads', 'avatar', 'one.webp'), 'picture');
    const own = { BACKUP_TO: shelf, DATABASE_URL: url };
    const made = await scene.run(beside, ['--backup'], own).ended;
    expect(made).toEqual({
      code: 0,
      output: expect.stringMatching(/with 1 pictures[^]*does not hold the database of DATABASE_URL[^]*pg_restore/),
    });
    const elsewhere = await scene.dataFolder('elsewhere');
    const { DATABASE_URL: _, ...without } = own;
    const refused = await scene.run(elsewhere, ['--restore', 'latest'], without).ended;
    expect(refused).toMatchObject({
      code: 1,
      output: expect.stringContaining('set DATABASE_URL to that database first'),
    });
    expect(await scene.run(elsewhere, ['--restore', 'latest'], own).ended).toMatchObject({ code: 0 });
    expect(await readFile(join(elsewhere, 'uploads', 'avatar', 'one.webp'), 'utf8')).toBe('picture');
  });
});

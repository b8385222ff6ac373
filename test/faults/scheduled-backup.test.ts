import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { findCluster, startEmbeddedServer } from '@store-service/embedded-postgres';
import { BackupScene, OrderingShopper, signInAgain } from '../support/backup-scene.js';
import { until } from '../support/receiver.js';
import { query } from '../support/service-copies.js';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { type S3Server, startS3Server } from '../support/s3-server.js';

const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery' };

let scene: BackupScene;
let dataDir: string;
let shelf: string;
let services: ServiceProcess[];
beforeEach(async () => {
  scene = await BackupScene.open();
  dataDir = await scene.dataFolder('data');
  shelf = join(scene.folder, 'shelf');
  services = [];
});
afterEach(async () => {
  await Promise.all(services.map((service) => service.stop()));
  await scene.close();
});

/** A node with a schedule that is always due. */
async function serve(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const quiet = { DEMO_DATA: 'false', CONSOLE: 'false', LOG_LEVEL: 'error', DATABASE_PATIENCE_SECONDS: '20' };
  const every = { BACKUP_SCHEDULE: '* * * * *', BACKUP_TO: shelf, BACKUP_KEEP: '2 daily', ...passphrase };
  const service = await startServiceProcess({ DATA_DIR: dataDir, ...quiet, ...every, ...env });
  services.push(service);
  return service;
}

/** Statements in the database of the data folder, beside the service. */
async function inDatabase<Row = Record<string, unknown>>(...statements: string[]): Promise<Row[]> {
  const server = await startEmbeddedServer({ dataDir });
  try {
    let rows: Row[] = [];
    for (const sql of statements) rows = await query<Row & Record<string, unknown>>(server.url, sql);
    return rows;
  } finally {
    await server.stop();
  }
}

const lookNow = `SELECT graphile_worker.reschedule_jobs(ARRAY(
  SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'backup-schedule' AND locked_at IS NULL), now())`;

/** Lets the schedule be looked at as if the last look had been two days ago. */
function dueNow(): Promise<unknown> {
  return inDatabase(
    `UPDATE backups SET begun_at = begun_at - interval '2 days', ended_at = ended_at - interval '2 days'`,
    `INSERT INTO backups (id, begun_at, outcome) SELECT gen_random_uuid(), now() - interval '9 days', 'awaited'
      WHERE NOT EXISTS (SELECT FROM backups)`,
    lookNow,
  );
}

const backupsIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));
const state = async ({ baseUrl }: ServiceProcess) =>
  ((await (await fetch(`${baseUrl}/health/ready?verbose`)).json()) as { backup: string }).backup;

/** The subjects of the mails about backups. */
async function told(): Promise<string[]> {
  const folder = join(dataDir, 'mail');
  const mails = await Promise.all(
    (await readdir(folder).catch(() => [])).map((name) => readFile(join(folder, name), 'utf8')),
  );
  return mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '').filter((subject) => /backup/i.test(subject));
}

describe('A backup by schedule', () => {
  it('is made once of two nodes, tried, and can be restored by its place alone', async () => {
    const nodes = [await serve(), await serve()];
    const shopper = await OrderingShopper.join(nodes[0] as ServiceProcess);
    expect(await state(nodes[0] as ServiceProcess)).toBe('none');
    await mkdir(shelf);
    const old = ['2026-01-01', '2026-01-02', '2026-01-03'].map((day) => `store-${day}T03-15-00Z.backup`);
    for (const name of [...old, 'monday.backup']) await writeFile(join(shelf, name), 'of before');
    await dueNow();
    const isNew = async () => (await backupsIn(shelf)).some((name) => !old.includes(name) && name.startsWith('store-'));
    await until(isNew, 'a backup');
    await until(async () => (await state(nodes[1] as ServiceProcess)) === 'ok', 'its record');
    const [row] = await inDatabase<{ kept: string; began: string }>(
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
    const restored = await serve({ DATA_DIR: elsewhere, BACKUP_SCHEDULE: 'off' });
    expect(await signInAgain(restored, shopper)).toEqual(expect.any(String));
    expect(await state(restored)).toBe('off');
  }, 480_000);

  it('that fails is mailed to the admins once, shows, and is made when it can be', async () => {
    await writeFile(shelf, 'no folder');
    const node = await serve();
    await dueNow();
    await until(async () => (await state(node)) === 'failed', 'the failure');
    await until(async () => (await told()).length > 0, 'a mail');
    await dueNow();
    const failures = async () =>
      (await inDatabase<{ reason: string }>(`SELECT reason FROM backups WHERE outcome = 'failed'`)).map(
        ({ reason }) => reason,
      );
    await until(async () => (await failures()).length === 2, 'another try');
    expect((await failures())[0]).toMatch(
      /shelf cannot be written: the file exists already|a part of its path is not a folder/,
    );
    await rm(shelf);
    await dueNow();
    await until(async () => (await state(node)) === 'ok', 'a backup');
    await until(async () => (await told()).length === 2, 'another mail');
    expect((await told()).sort()).toEqual(['Backups are made again', 'No backup could be made']);
  }, 240_000);

  it('that is killed in the middle with its service leaves nothing, and is made after the next start', async () => {
    const node = await serve();
    await OrderingShopper.join(node);
    await dueNow();
    const isWriting = async () =>
      (await readdir(shelf).catch(() => [])).some((name) => name.startsWith('.backup.partial-'));
    await until(isWriting, 'its beginning');
    await node.stop('SIGKILL');
    services = [];
    const next = await serve();
    // The queue waits until the killed worker counts as dead.
    await until(async () => (await state(next)) === 'ok', 'a backup');
    expect((await readdir(shelf)).filter((name) => name.startsWith('.'))).toEqual([]);
    expect((await readdir(dataDir)).filter((name) => name.includes('.new-'))).toEqual([]);
  }, 300_000);
});

describe('npm run backup without a file', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server();
  });
  afterAll(() => s3.close());

  it('fills a bucket, from which a restore takes it; says so while that is away', async () => {
    await (await scene.serve(dataDir)).stop();
    const place = { ...passphrase, BACKUP_TO: s3.url.replace('/shop?', '/nightly?') };
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
    await (await scene.serve(dataDir)).stop();
    const place = { ...passphrase, BACKUP_TO: shelf };
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
    await mkdir(join(dataDir, 'uploads', 'avatar'), { recursive: true });
    await writeFile(join(dataDir, 'uploads', 'avatar', 'one.webp'), 'picture');
    const own = { ...passphrase, BACKUP_TO: shelf, DATABASE_URL: url };
    const made = await scene.run(dataDir, ['--backup'], own).ended;
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

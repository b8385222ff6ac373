import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedServer } from '@store-service/embedded-postgres';
import { BackupScene } from './backup-scene.js';
import { until } from './receiver.js';
import { query } from './service-copies.js';
import { type ServiceProcess, startServiceProcess } from './service-process.js';

/** For some of the tests: its key takes longer to derive than all else of a small backup. */
export const passphrase = { BACKUP_PASSPHRASE: 'correct horse battery' };

const lookNow = `SELECT graphile_worker.reschedule_jobs(ARRAY(
  SELECT id FROM graphile_worker.jobs WHERE task_identifier = 'backup-schedule' AND locked_at IS NULL), now())`;

/** Nodes on one data folder with a schedule of backups that is always due, and the folder of these. */
export class ScheduledBackups {
  private services: ServiceProcess[] = [];

  private constructor(
    readonly scene: BackupScene,
    readonly dataDir: string,
    readonly shelf: string,
  ) {}

  static async open(): Promise<ScheduledBackups> {
    const scene = await BackupScene.open();
    return new ScheduledBackups(scene, await scene.usedFolder('data'), join(scene.folder, 'shelf'));
  }

  async serve(env: Record<string, string> = {}): Promise<ServiceProcess> {
    const quiet = { DEMO_DATA: 'false', CONSOLE: 'false', STOREFRONT: 'false', LOG_LEVEL: 'error' };
    const every = { BACKUP_SCHEDULE: '* * * * *', BACKUP_TO: this.shelf, BACKUP_KEEP: '2 daily' };
    const patience = { DATABASE_PATIENCE_SECONDS: '20' };
    const service = await startServiceProcess({ DATA_DIR: this.dataDir, ...quiet, ...patience, ...every, ...env });
    this.services.push(service);
    return service;
  }

  /** Ends a node as by `kill -9`. */
  async kill(service: ServiceProcess): Promise<void> {
    await service.stop('SIGKILL');
    this.services = this.services.filter((one) => one !== service);
  }

  async close(): Promise<void> {
    await Promise.all(this.services.map((service) => service.stop()));
    await this.scene.close();
  }

  /** Statements in the database of the data folder, beside the service. */
  async inDatabase<Row = Record<string, unknown>>(...statements: string[]): Promise<Row[]> {
    const server = await startEmbeddedServer({ dataDir: this.dataDir });
    try {
      let rows: Row[] = [];
      for (const sql of statements) rows = await query<Row & Record<string, unknown>>(server.url, sql);
      return rows;
    } finally {
      await server.stop();
    }
  }

  /** Lets the schedule be looked at as if the last look had been two days ago. */
  async dueNow(): Promise<void> {
    await this.inDatabase(
      `UPDATE backups SET begun_at = begun_at - interval '2 days', ended_at = ended_at - interval '2 days'`,
      `INSERT INTO backups (id, begun_at, outcome) SELECT gen_random_uuid(), now() - interval '9 days', 'awaited'
        WHERE NOT EXISTS (SELECT FROM backups)`,
      lookNow,
    );
  }

  /** Why backups failed, the newest first. */
  async failures(): Promise<string[]> {
    const sql = `SELECT reason FROM backups WHERE outcome = 'failed' ORDER BY begun_at DESC`;
    return (await this.inDatabase<{ reason: string }>(sql)).map(({ reason }) => reason);
  }

  /** The subjects of the mails about backups. */
  async told(): Promise<string[]> {
    const folder = join(this.dataDir, 'mail');
    const mails = await Promise.all(
      (await readdir(folder).catch(() => [])).map((name) => readFile(join(folder, name), 'utf8')),
    );
    return mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1] ?? '').filter((subject) => /backup/i.test(subject));
  }

  /** What a backup that ended badly has left: drafts of it, and of its trial. */
  async remains(): Promise<string[]> {
    const [shelf, data] = await Promise.all([this.shelf, this.dataDir].map((path) => readdir(path).catch(() => [])));
    return [...(shelf ?? []), ...(data ?? [])].filter((name) => /\.new-|partial/.test(name));
  }
}

/** Waits for what a backup changes, without taking the processor from it. */
export const untilBackup = (holds: () => Promise<boolean>, what: string): Promise<void> => until(holds, what, 400);

/** The backups that a folder shows. */
export async function backupsIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).filter((name) => !name.startsWith('.'));
}

/** What a node says of its backups. */
export async function backupState({ baseUrl }: ServiceProcess): Promise<string> {
  const answer = await fetch(`${baseUrl}/health/ready?verbose`);
  return ((await answer.json()) as { backup: string }).backup;
}

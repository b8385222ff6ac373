import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { lockMigrations, unlockMigrations } from './migrate.statements.js';
import { dataSourceOptions } from './data-source-options.js';
import { StartError } from '../config/start-error.js';

const lookAgainMs = 200;
const lockPatienceMs = 2_000;
const letPassMs = 300;
const lockNotAvailable = '55P03';

async function migrateQueue(url: string): Promise<void> {
  const pgPool = new pg.Pool({ connectionString: url, max: 2 });
  // The current statement throws the error of a lost connection.
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

/** Waits outside of statements, since an index that is built CONCURRENTLY would wait for their end. */
async function untilLocked(holder: QueryRunner): Promise<void> {
  while (!((await holder.query(lockMigrations)) as { taken: boolean }[])[0]?.taken) await sleep(lookAgainMs);
}

/** An older release would write rows without the values that a newer one relies on. */
async function refuseNewer(dataSource: DataSource): Promise<void> {
  const known = new Set(dataSource.migrations.map(({ name, constructor }) => name ?? constructor.name));
  const executed = await new MigrationExecutor(dataSource).getExecutedMigrations();
  const newer = executed.find(({ name }) => !known.has(name));
  if (!newer) return;
  throw new StartError(
    `a newer release has changed it (migration ${newer.name}): start that release again, or ` +
      'restore a backup from before it',
  );
}

/**
 * A migration that waits for a table makes everybody else wait for it too. So it waits for two seconds at most, lets
 * others pass, and starts again with the part that is not done.
 */
async function runPatiently(dataSource: DataSource): Promise<string[]> {
  await refuseNewer(dataSource);
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  for (;;) {
    try {
      await dataSource.runMigrations();
      return pending.map(({ name }) => name);
    } catch (error) {
      if ((error as pg.DatabaseError).code !== lockNotAvailable) throw error;
      await sleep(letPassMs);
    }
  }
}

/**
 * Migrates the database at `url` to the newest schema, the job queue's included, one node at a time. Returns the names
 * of the migrations that ran.
 */
export async function migrate(url: string): Promise<string[]> {
  const options = dataSourceOptions({ url, poolSize: 2, statementTimeoutMs: 0 });
  const extra = { ...(options.extra as object), lock_timeout: lockPatienceMs };
  const dataSource = new DataSource({ ...options, extra });
  await dataSource.initialize();
  const holder = dataSource.createQueryRunner();
  try {
    await untilLocked(holder);
    const done = await runPatiently(dataSource);
    await migrateQueue(url);
    await holder.query(unlockMigrations);
    return done;
  } finally {
    await holder.release();
    await dataSource.destroy();
  }
}

import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { lockMigrations, unlockMigrations } from './migrate.statements.js';
import { dataSourceOptions } from './data-source-options.js';
import { type DatabaseWay, wayTo } from '../connections/failover/database-way.js';

async function migrateQueue({ connectionString, Client }: DatabaseWay): Promise<void> {
  const pgPool = new pg.Pool({ connectionString, Client, max: 2 });
  // The statement under way throws the error of a lost connection.
  pgPool.on('error', () => undefined);
  pgPool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool });
  } finally {
    await pgPool.end();
  }
}

async function migrateBy(way: DatabaseWay): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ way, poolSize: 2, statementTimeoutMs: 0 }));
  await dataSource.initialize();
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query(lockMigrations);
    const done = await dataSource.runMigrations();
    await migrateQueue(way);
    await holder.query(unlockMigrations);
    return done.map((migration) => migration.name);
  } finally {
    await holder.release();
    await dataSource.destroy();
  }
}

/**
 * Brings the database at `url` to the newest schema, the job queue's included, one node at a time. Returns the names of
 * the migrations that ran.
 */
export async function migrate(url: string): Promise<string[]> {
  const way = wayTo(url);
  try {
    return await migrateBy(way);
  } finally {
    await way.primary?.rest();
  }
}

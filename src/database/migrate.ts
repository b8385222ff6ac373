import { runMigrations } from 'graphile-worker';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** An arbitrary number that no other lock has. */
const migrationLock = 5_284_113_001;

/**
 * Brings the database at `url` to the newest schema, the job queue's included, one node at a time. Returns the names of
 * the migrations that ran.
 */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 2, statementTimeoutMs: 0 }));
  await dataSource.initialize();
  const holder = dataSource.createQueryRunner();
  try {
    await holder.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const done = await dataSource.runMigrations();
    await runMigrations({ connectionString: url, maxPoolSize: 2 });
    await holder.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    return done.map((migration) => migration.name);
  } finally {
    await holder.release();
    await dataSource.destroy();
  }
}

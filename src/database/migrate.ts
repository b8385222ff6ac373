import { runMigrations } from 'graphile-worker';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any number that belongs to this purpose alone. */
const migrationLock = 5_284_113_001;

/** Brings the database at `url` to the newest schema, the job queue's included; nodes that start together take turns. Answers what was run. */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = new DataSource(dataSourceOptions({ url, poolSize: 2, statementTimeoutMs: 0 }));
  await dataSource.initialize();
  const turn = dataSource.createQueryRunner();
  try {
    await turn.query('SELECT pg_advisory_lock($1)', [migrationLock]);
    const done = await dataSource.runMigrations();
    await runMigrations({ connectionString: url, maxPoolSize: 2 });
    await turn.query('SELECT pg_advisory_unlock($1)', [migrationLock]);
    return done.map((migration) => migration.name);
  } finally {
    await turn.release();
    await dataSource.destroy();
  }
}

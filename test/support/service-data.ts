import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startServiceProcess } from './service-process.js';

/** An arbitrary number that nothing else uses. */
const makeLock = 5_284_113_011;

async function make(dataDir: string): Promise<void> {
  const draft = `${dataDir}.draft`;
  await rm(draft, { recursive: true, force: true }); // of a try that failed
  await mkdir(draft, { mode: 0o755 });
  const without = { DEMO_DATA: 'false', CONSOLE: 'false', STOREFRONT: 'false', BACKUP_SCHEDULE: 'off' };
  const service = await startServiceProcess({ DATA_DIR: draft, LOG_LEVEL: 'error', ...without });
  await service.stop();
  await rename(draft, dataDir);
}

/**
 * Fills a data folder with that of a service that has started once: its secrets, its first admin, and the cluster of its
 * embedded server. It is made once in a run of the tests, by the first file that asks for it, and copied for each.
 */
export async function copyServiceData(to: string): Promise<void> {
  const dataDir = join(process.env['TEST_FOLDER'] ?? '', 'service-data');
  const client = new pg.Client({ connectionString: `${process.env['TEST_SERVER_URL']}/postgres` });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [makeLock]);
    if (!existsSync(dataDir)) await make(dataDir);
  } finally {
    await client.end();
  }
  await cp(dataDir, to, { recursive: true });
}

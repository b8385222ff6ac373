import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { prepareCitus } from './citus.mjs';
import { startPgBouncer } from './pgbouncer.mjs';
import '../../scripts/ts-loader.mjs';

const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' };

/** One PostgreSQL for the whole run, with a migrated template that each test file clones; or the cluster of TEST_CITUS_URL. */
export default async function globalSetup() {
  if (process.env.TEST_CITUS_URL) return prepareCitus(process.env.TEST_CITUS_URL);
  const { startEmbeddedServer } = await import('@store-service/embedded-postgres');
  const { migrate } = await import('../../src/database/migrate.ts');
  const { makeDatabaseFolder } = await import('./database-folder.ts');
  const dataDir = await makeDatabaseFolder('store-test-');
  // Where tests and their browsers make folders, which are many.
  process.env.TMPDIR = join(dataDir, 'tmp');
  await mkdir(process.env.TMPDIR);
  await chmod(process.env.TMPDIR, 0o1777);
  // An ephemeral service puts rows back without their triggers.
  const parameters = ['session_replication_role'];
  const server = await startEmbeddedServer({ dataDir, database: 'template_store', settings, parameters });
  await migrate(server.url);
  const serverUrl = server.url.replace(/\/template_store$/, '');
  const admin = new pg.Client({ connectionString: `${serverUrl}/postgres` });
  await admin.connect();
  await admin.query('ALTER DATABASE template_store IS_TEMPLATE true');
  // Each of thousands of connections would spend milliseconds, here and there, on the 4,096 iterations of a default hash.
  const { username, password } = new URL(serverUrl);
  await admin.query('SET scram_iterations = 1');
  await admin.query(`ALTER ROLE ${admin.escapeIdentifier(username)} PASSWORD ${admin.escapeLiteral(password)}`);
  await admin.end();
  const pooler = process.env.TEST_POOLER === '1' ? await startPgBouncer(serverUrl, dataDir) : undefined;
  if (pooler) process.env.TEST_POOLER_URL = pooler.url;
  globalThis.testServer = { server, dataDir, pooler };
  process.env.TEST_SERVER_URL = serverUrl;
  process.env.TEST_FOLDER = dataDir;
}

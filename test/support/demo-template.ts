import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { createApp } from '../../src/cli/app.js';
import { makeLogger } from '../../src/platform/http/request-log.js';
import { Secrets } from '../../src/config/secrets.js';
import { loadSettings } from '../../src/config/settings.js';
import { DatabaseAddress } from '../../src/database/connections/database-address.js';
import { DemoDataService } from '../../src/demo/demo-data.service.js';
import { DemoUpkeepService } from '../../src/demo/demo-upkeep.service.js';
import { FirstAdminService } from '../../src/store/accounts/first-admin.service.js';
import type { TestAppChoices } from './test-app.js';
import { createTestDatabase } from './test-database.js';

export const admin = { username: 'admin', email: 'admin@example.com', password: 'console-admin-1' };

const template = 'template_demo';
/** An arbitrary number that nothing else uses. */
const loadLock = 5_284_113_004;
/** The clones open what the template has sealed. */
const secrets = new Secrets('0'.repeat(64), Buffer.alloc(32, 1));

async function load(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const database = await createTestDatabase();
  const settings = loadSettings({ DATA_DIR: dataDir, DEMO_DATA: 'true', LOG_LEVEL: 'silent', ...database.env });
  const address = DatabaseAddress.of(settings.databaseUrl ?? '', settings);
  const nest = await createApp({ settings, secrets, database: address, logger: makeLogger(settings) });
  await nest.init();
  await nest.get(DemoDataService).loadOnce();
  await nest.get(FirstAdminService).ensure(admin);
  await nest.get(DemoUpkeepService).openOrganization();
  await nest.close();
  await database.becomeTemplate(template);
}

/**
 * Starts an app with the demo's data, an admin, and access for them to the demo's organization. The data is loaded once in a
 * run of the tests, by the first file that asks for it, and cloned for each.
 */
export async function withDemoData({ env, ...choices }: TestAppChoices): Promise<TestAppChoices> {
  const dataDir = join(process.env['TEST_FOLDER'] ?? '', 'demo');
  const client = new pg.Client({ connectionString: `${process.env['TEST_SERVER_URL']}/postgres` });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [loadLock]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) await load(dataDir);
  } finally {
    await client.end();
  }
  const prepare = (folder: string) => cp(dataDir, folder, { recursive: true });
  return { ...choices, env: { DEMO_DATA: 'true', ...env }, template, secrets, prepare };
}

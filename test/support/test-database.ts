import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  /** The settings with which a service reaches it. */
  env: DatabaseSettings;
  /** Runs plain SQL on a connection of its own, beside the service's. */
  rows<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
  /** Ends as a template of this name, from which others are cloned. */
  becomeTemplate(name: string): Promise<void>;
}

interface DatabaseSettings {
  DATABASE_URL: string;
  DATABASE_URL_DIRECT?: string;
}

/** The servers that hold a part of each database: one, or those of the cluster that `TEST_CITUS_URL` names. */
function servers(): string[] {
  const ofCluster = process.env['TEST_CITUS_SERVERS'];
  return ofCluster ? (JSON.parse(ofCluster) as string[]) : [`${process.env['TEST_SERVER_URL']}/postgres`];
}

async function withAdmin<T>(server: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const insufficientPrivilege = '42501';

/** FORCE is refused while an autovacuum worker, which belongs to the superuser, is in the database: it leaves soon. */
async function dropDatabase(admin: pg.Client, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== insufficientPrivilege || attempt === 120) throw error;
      await sleep(250);
    }
  }
}

const objectInUse = '55006';

async function renameDatabase(admin: pg.Client, name: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await admin.query(`ALTER DATABASE ${name} RENAME TO ${to}`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== objectInUse || attempt === 60) throw error;
    }
  }
}

/** The maintenance daemon of Citus comes and goes in its template: it is ended before each clone. */
async function cloneTemplate(admin: pg.Client, name: string, template: string): Promise<void> {
  const isOfCluster = process.env['TEST_CITUS_SERVERS'] !== undefined;
  for (let attempt = 1; ; attempt++) {
    if (isOfCluster)
      await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [template]);
    try {
      await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      return;
    } catch (error) {
      if ((error as pg.DatabaseError).code !== objectInUse || attempt === 60) throw error;
    }
  }
}

/** A database of the test file's own, cloned from the migrated template. */
export async function createTestDatabase(
  template = process.env['TEST_TEMPLATE'] ?? 'template_store',
): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  for (const server of servers()) await withAdmin(server, (admin) => cloneTemplate(admin, name, template));
  const url = `${process.env['TEST_SERVER_URL']}/${name}`;
  const pooler = process.env['TEST_POOLER_URL'];
  const env = pooler ? { DATABASE_URL: `${pooler}/${name}`, DATABASE_URL_DIRECT: url } : { DATABASE_URL: url };
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  pool.on('error', () => undefined);
  return {
    url,
    env,
    rows: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await pool.query<Row>(sql, values)).rows,
    drop: async () => {
      await pool.end();
      for (const server of servers()) await withAdmin(server, (admin) => dropDatabase(admin, name));
    },
    becomeTemplate: async (templateName) => {
      await pool.end();
      for (const server of servers()) await withAdmin(server, (admin) => renameDatabase(admin, name, templateName));
    },
  };
}

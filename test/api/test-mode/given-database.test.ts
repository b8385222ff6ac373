import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  ask,
  type EphemeralService,
  refusedEphemeral,
  startEphemeralService,
  testMode,
} from '../../support/ephemeral-service.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** Machines of tests are busy: several starts, one after the other. */
const patienceMs = 900_000;

const databases: TestDatabase[] = [];
const running: EphemeralService[] = [];
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
});
afterAll(async () => {
  for (const database of databases) await database.drop();
});

async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('template0');
  databases.push(database);
  return database;
}

async function start({ url }: TestDatabase): Promise<EphemeralService> {
  const service = await startEphemeralService({ DATABASE_URL: url });
  running.push(service);
  return service;
}

/** Everything that a database holds, by its catalogs. */
async function contentOf(database: TestDatabase): Promise<Record<string, string>> {
  const all = (table: string, name: string) =>
    `(SELECT string_agg(${name}::text, ' ' ORDER BY ${name}::text) FROM ${table}) AS ${table}`;
  const notTemporary = `WHERE nspname !~ '^pg_(toast_)?temp_'`;
  const [row] = await database.rows<Record<string, string>>(
    `SELECT (SELECT string_agg(nspname, ' ' ORDER BY nspname) FROM pg_namespace ${notTemporary}) AS namespaces,
            ${all('pg_extension', 'extname')}, ${all('pg_proc', 'proname')}, ${all('pg_collation', 'collname')},
            (SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE oid >= 16384) AS relations,
            (SELECT string_agg(typname, ' ' ORDER BY typname) FROM pg_type WHERE oid >= 16384) AS types,
            (SELECT setconfig::text FROM pg_db_role_setting
              WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())) AS settings`,
  );
  return row ?? {};
}

/** The year of the database's clock, as a new connection tells it: one that is open goes by the settings of its start. */
async function yearOf({ url }: TestDatabase): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ year: string }>(`SELECT to_char(now(), 'YYYY') AS year`);
  await client.end();
  return rows[0]?.year;
}

const tables = `SELECT count(*)::integer AS count FROM pg_tables WHERE schemaname = 'public'`;

describe('npm start -- --ephemeral with an empty database in DATABASE_URL', () => {
  it(
    'uses it with all of test mode, keeps a second one out, and leaves it as it was',
    async () => {
      const database = await emptyDatabase();
      // What somebody has prepared for all of their databases stays.
      await database.rows('CREATE EXTENSION unaccent');
      const before = await contentOf(database);
      const service = await start(database);
      expect(await database.rows(tables)).not.toEqual([{ count: 0 }]);
      await testMode(service, ['POST', '/clock'], { now: '2100-01-02T00:00:00Z' });
      expect(await yearOf(database)).toBe('2100');
      await testMode(service, ['POST', '/reset'], { seed: 'empty' });
      expect((await ask(service, ['GET', '/api/v1/products/'])).body).toEqual([]);
      await testMode(service, ['POST', '/reset']);
      expect((await ask<object[]>(service, ['GET', '/api/v1/products/'])).body.length).toBeGreaterThan(0);
      expect(await refusedEphemeral({ DATABASE_URL: database.url })).toMatch(
        /Another ephemeral service uses the database 127\.0\.0\.1:\d+\/test_\w+: give each one a database of its own/,
      );
      await service.stop('SIGTERM');
      expect(await contentOf(database)).toEqual(before);
    },
    patienceMs,
  );

  it(
    'takes the place of a killed one there, and leaves nothing of either',
    async () => {
      const database = await emptyDatabase();
      const before = await contentOf(database);
      await (await start(database)).stop('SIGKILL');
      expect(await database.rows(tables)).not.toEqual([{ count: 0 }]);
      const next = await start(database);
      expect((await ask(next, ['GET', '/health'])).status).toBe(200);
      await next.stop('SIGINT');
      expect(await contentOf(database)).toEqual(before);
    },
    patienceMs,
  );

  it(
    'is refused where it holds anything, which stays',
    async () => {
      const database = await emptyDatabase();
      await database.rows('CREATE TABLE letters (body text)');
      await database.rows(`INSERT INTO letters VALUES ('Dear Ada')`);
      expect(await refusedEphemeral({ DATABASE_URL: database.url })).toMatch(
        /holds data \(table public\.letters\): name an empty one in DATABASE_URL/,
      );
      expect(await database.rows('SELECT body FROM letters')).toEqual([{ body: 'Dear Ada' }]);
      await database.rows('DROP TABLE letters');
      await database.rows('CREATE SCHEMA test_mode');
      expect(await refusedEphemeral({ DATABASE_URL: database.url })).toMatch(/holds data \(schema test_mode\)/);
    },
    patienceMs,
  );
});

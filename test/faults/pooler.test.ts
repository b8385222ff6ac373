import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config/settings.js';
import { Database } from '../../src/database/database.js';
import { Searches } from '../../src/database/searches.js';
import { addressOf } from '../../src/connections/pooler.js';
import { openServiceDatabase } from '../../src/database/service-database.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { until } from '../support/receiver.js';
import { type PoolerStub, startPoolerStub } from '../support/pooler-stub.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let pooler: PoolerStub;
let server: PoolerStub;
let app: TestApp;
beforeAll(async () => {
  const url = process.env['TEST_SERVER_URL'] ?? '';
  pooler = await startPoolerStub(url, { refuses: true });
  server = await startPoolerStub(url);
  app = await startTestApp({
    jobs: true,
    reachDatabase: (direct) => Promise.resolve([pooler.through(direct), server.through(direct)]),
  });
});
afterAll(async () => {
  await app.close();
  await pooler.close();
  await server.close();
});

function programsAt({ startups }: PoolerStub): Set<string | undefined> {
  return new Set(startups.map(({ application_name }) => application_name));
}

const log = { debug: () => undefined, warn: () => undefined };

describe('The service behind a pooler', () => {
  it('reads and writes through it', async () => {
    const { body } = await app.api.post('/api/v1/products/', { json: { name: 'Pooled', price: 1, stock: 1 } });
    const { id } = body as { id: number };
    expect((await app.api.get(`/api/v1/products/${id}`)).body).toMatchObject({ name: 'Pooled' });
    expect(programsAt(pooler)).toContain('store-service');
  });

  it('applies the time limits of statements inside and outside units of work, and of searches', async () => {
    const inForce = `SELECT current_setting('statement_timeout') AS "limit"`;
    const limit = () => app.nest.get(Database).row(inForce);
    expect(await limit()).toEqual({ limit: '30s' });
    expect(await app.nest.get(UnitOfWork).run(limit)).toEqual({ limit: '30s' });
    expect(await app.nest.get(Searches).rows('any', inForce, [])).toEqual([{ limit: '10s' }]);
  });

  it('listens and runs jobs on direct connections', async () => {
    await until(() => programsAt(server).has('store-service jobs'), 'the job runner');
    expect(programsAt(server)).toContain('store-service changes');
    expect([...programsAt(pooler)].filter((name) => /jobs|changes/.test(name ?? ''))).toEqual([]);
  });

  it('shows changes of this node on another node', async () => {
    const { api: other } = await app.anotherNode();
    const { body } = await app.api.post('/api/v1/products/', { json: { name: 'Old', price: 1, stock: 1 } });
    const path = `/api/v1/products/${(body as { id: number }).id}`;
    const nameThere = async () => ((await other.get(path)).body as { name: string }).name;
    expect(await nameThere()).toBe('Old');
    await app.api.put(path, { json: { name: 'New' } });
    await until(async () => (await nameThere()) === 'New', 'the new name');
  });

  it('migrates on a direct connection, and says so', async () => {
    const [before, direct] = [pooler.startups.length, server.startups.length];
    const env = {
      DATABASE_URL: pooler.through(app.database.url),
      DATABASE_URL_DIRECT: server.through(app.database.url),
    };
    const opened = await openServiceDatabase(loadSettings(env), log);
    expect(opened.description).toMatch(/\(DATABASE_URL, a pooler\)$/);
    expect(server.startups.length).toBeGreaterThan(direct);
    expect(pooler.startups.slice(before).map(({ application_name }) => application_name)).toEqual([undefined]);
    await opened.stop();
  });
});

describe('Prepared statements', () => {
  const preparedAt = async (way: PoolerStub, env: Record<string, string> = {}) => {
    const { url } = app.database;
    const settings = loadSettings({ DATABASE_URL: way.through(url), DATABASE_URL_DIRECT: url, ...env });
    return (await addressOf(way.through(url), settings)).preparedStatements;
  };

  it('are used behind a pooler that tracks them under names of its own, and behind no other', async () => {
    const keeper = await startPoolerStub(app.database.url, { refuses: true, renames: true });
    expect(await preparedAt(keeper)).toBe(true);
    expect(await preparedAt(keeper, { PREPARED_STATEMENTS: 'false' })).toBe(false);
    await keeper.close();
    expect(await preparedAt(pooler)).toBe(false);
    expect(await preparedAt(pooler, { PREPARED_STATEMENTS: 'true' })).toBe(true);
  });

  it('are used without a pooler', async () => {
    const { url } = app.database;
    expect((await addressOf(url, loadSettings({ DATABASE_URL: url }))).preparedStatements).toBe(true);
  });
});

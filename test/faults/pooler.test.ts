import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../src/config/settings.js';
import { Database } from '../../src/database/database.js';
import { Searches } from '../../src/database/searches.js';
import { DatabaseAddress } from '../../src/database/connections/database-address.js';
import { checkPooledRole } from '../../src/database/connections/pooled-role.js';
import { openServiceDatabase } from '../../src/database/service-database.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { query } from '../support/service-copies.js';
import { until } from '../support/receiver.js';
import { type PoolerStub, startPoolerStub } from '../support/pooler-stub.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** As `deploy/pgbouncer.ini` has it. */
const ignored = ['statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout'];
const limits = {
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '60s',
  enable_seqscan: 'off',
  jit: 'off',
};

/** Has the role bring its limits in one database, where docs/scale.md has it do so everywhere. */
async function limit(url: string, settings: Record<string, string>): Promise<void> {
  const database = new URL(url).pathname.slice(1);
  await query(url, `ALTER ROLE CURRENT_USER IN DATABASE "${database}" RESET ALL`);
  for (const [name, value] of Object.entries(settings))
    await query(url, `ALTER ROLE CURRENT_USER IN DATABASE "${database}" SET ${name} = '${value}'`);
}

let pooler: PoolerStub;
let server: PoolerStub;
let app: TestApp;
beforeAll(async () => {
  const url = process.env['TEST_SERVER_URL'] ?? '';
  pooler = await startPoolerStub(url, ignored);
  server = await startPoolerStub(url);
  app = await startTestApp({
    jobs: true,
    reachDatabase: async (direct) => {
      await limit(direct, limits);
      return [pooler.through(direct), server.through(direct)];
    },
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

  it('has the time limits of its role inside and outside units of work, and those of searches', async () => {
    const inForce = `SELECT current_setting('statement_timeout') AS "limit"`;
    const limitInForce = () => app.nest.get(Database).row(inForce);
    expect(await limitInForce()).toEqual({ limit: '30s' });
    expect(await app.nest.get(UnitOfWork).run(limitInForce)).toEqual({ limit: '30s' });
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

describe('A role without limits', () => {
  afterEach(() => limit(app.database.url, limits));

  it.each(Object.keys(limits).filter((name) => name !== 'jit'))(
    'ends the start behind a pooler with a sentence that says how to set them: without %s',
    async (name) => {
      const url = pooler.through(app.database.url);
      await limit(app.database.url, { ...limits, [name]: name === 'enable_seqscan' ? 'on' : '0' });
      await expect(checkPooledRole(url)).rejects.toThrow(/ALTER ROLE \w+ SET statement_timeout = '30s'/);
      await limit(app.database.url, limits);
      await checkPooledRole(url);
    },
  );
});

describe('Prepared statements', () => {
  const preparedAt = (env: Record<string, string>) => {
    const url = 'postgres://pooler/shop';
    return DatabaseAddress.of(url, loadSettings({ DATABASE_URL: url, ...env })).preparedStatements;
  };
  const direct = { DATABASE_URL_DIRECT: 'postgres://server/shop' };

  it('are used behind a pooler where the operator says that it keeps them', () => {
    expect(preparedAt(direct)).toBe(false);
    expect(preparedAt({ ...direct, PREPARED_STATEMENTS: 'true' })).toBe(true);
  });

  it('are used without a pooler, unless the operator says otherwise', () => {
    expect(preparedAt({})).toBe(true);
    expect(preparedAt({ PREPARED_STATEMENTS: 'false' })).toBe(false);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { isDatabaseAway } from '../../../../src/common/errors/database-errors.js';
import { type DatabaseWay, wayTo } from '../../../../src/connections/failover/database-way.js';
import { until } from '../../../support/receiver.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

let database: TestDatabase;
let server: URL;
const pools: pg.Pool[] = [];
const ways: DatabaseWay[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  server = new URL(database.url);
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
  for (const { primary } of ways.splice(0)) await primary?.rest();
});
afterAll(() => database.drop());

/** A pool of connections to the primary among hosts; nothing listens on port 1. */
function poolTo(hosts: string, { isPooled = false, password = server.password } = {}): pg.Pool {
  const way = wayTo(`postgres://${server.username}:${password}@${hosts}${server.pathname}`, isPooled);
  const pool = new pg.Pool({
    connectionString: way.connectionString,
    Client: way.Client,
    max: 2,
    idleTimeoutMillis: 0,
  });
  pool.on('error', () => undefined);
  pools.push(pool);
  ways.push(way);
  return pool;
}

const failure = (work: Promise<unknown>): Promise<pg.DatabaseError> =>
  work.then(
    () => {
      throw new Error('It did not fail');
    },
    (error: pg.DatabaseError) => error,
  );

/** Makes the server refuse writes in new sessions, as a standby does. */
async function readOnly(isReadOnly: boolean): Promise<void> {
  const setting = isReadOnly ? 'SET default_transaction_read_only = on' : 'RESET default_transaction_read_only';
  await database.rows(`ALTER DATABASE ${server.pathname.slice(1)} ${setting}`);
}

describe('A connection to the primary among hosts', () => {
  it('goes to the host that is up', async () => {
    const { rows } = await poolTo(`127.0.0.1:1,${server.host}`).query('SELECT 1 AS one');
    expect(rows).toEqual([{ one: 1 }]);
  });

  it('is refused by a read-only server, and from the second one on without asking it', async () => {
    const [pool, other] = [
      poolTo(`127.0.0.1:1,${server.host}`),
      poolTo(`127.0.0.1:1,${server.host}`, { isPooled: true }),
    ];
    const [held, ofPooler] = [await pool.connect(), await other.connect()];
    await readOnly(true);
    const refused = await failure(pool.connect());
    expect([refused.message, isDatabaseAway(refused)]).toEqual([`${server.host} takes no writes`, true]);
    // What a pooler repeats may be outdated.
    (await other.connect()).release(true);
    ofPooler.release();
    held.release();
    await readOnly(false);
    const again = await pool.connect();
    again.release();
  });

  it("fails with each host's reason if none is a primary", async () => {
    await readOnly(true);
    const error = await failure(poolTo(`127.0.0.1:1,${server.host}`).connect());
    expect(isDatabaseAway(error)).toBe(true);
    expect(error.message).toBe(
      `None of 127.0.0.1:1,${server.host}${server.pathname} is a primary to write to: ` +
        `127.0.0.1:1 does not answer (connect ECONNREFUSED 127.0.0.1:1); ${server.host} is a standby`,
    );
    await readOnly(false);
  });

  it('fails if two hosts are primaries of the same timeline, and with errors that no promotion can cure', async () => {
    const twice = `${server.host},localhost:${server.port}`;
    expect((await failure(poolTo(twice).connect())).message).toContain('is one of several primaries');
    expect((await failure(poolTo(twice, { password: 'wrong' }).connect())).code).toBe('28P01');
  });

  it('is given up when a write is refused on it', async () => {
    const pool = poolTo(`127.0.0.1:1,${server.host}`);
    const client = await pool.connect();
    client.on('error', () => undefined);
    await client.query('BEGIN READ ONLY');
    expect((await failure(client.query('CREATE TABLE none ()'))).code).toBe('25006');
    await failure(client.query('SELECT 1'));
    client.release();
    await until(() => pool.totalCount === 0, 'the end of the connection');
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { requestConnectionExtras } from '../../../src/connections/connection-extras.js';
import { wayTo } from '../../../src/connections/failover/database-way.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const limitMs = 200;
const tooLong = { code: '57014', message: 'canceling statement due to statement timeout' };

let database: TestDatabase;
let pool: pg.Pool;
let client: pg.PoolClient;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  pool = new pg.Pool({ ...requestConnectionExtras(wayTo(database.url), limitMs, true), max: 1 });
  client = await pool.connect();
});
afterEach(async () => {
  client.release();
  await pool.end();
});

const inForce = `SELECT current_setting('statement_timeout') AS statement,
  current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('enable_seqscan') AS scans`;
const limits = [{ statement: '200ms', idle: '1min', scans: 'off' }];

/** `SET` is sent as it is, and thus shows what is in force outside transactions. */
async function settingOfSession(name: string): Promise<string> {
  const outside = new Promise<string>((resolve) => {
    client.once('notice', ({ message }) => resolve(message ?? ''));
  });
  await client.query(`SET client_min_messages = notice`);
  await (pg.Client.prototype.query as (text: string) => Promise<unknown>).call(
    client,
    `DO $$ BEGIN RAISE NOTICE '%', current_setting('${name}'); END $$`,
  );
  return outside;
}

describe('A connection through a pooler', () => {
  it('sends no startup parameter that a pooler refuses', () => {
    const { statement_timeout, idle_in_transaction_session_timeout, options } = requestConnectionExtras(
      wayTo(database.url),
      limitMs,
      true,
    );
    expect([statement_timeout, idle_in_transaction_session_timeout, options]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each<[string, () => Promise<pg.QueryResult>]>([
    ['without values', () => client.query(inForce)],
    ['with values', () => client.query(`${inForce} WHERE $1::boolean`, [true])],
    ['with a name', () => client.query({ name: 'in-force', text: inForce })],
    ['on the pool', () => (client.release(), (client = undefined as never), pool.query(inForce))],
  ])('sends the limits with each statement: %s', async (_how, query) => {
    expect((await query()).rows).toEqual(limits);
    client ??= await pool.connect();
  });

  it('leaves no limit behind in the session, which others get next', async () => {
    await client.query(inForce);
    expect(await settingOfSession('statement_timeout')).toBe('0');
  });

  it('stops a statement that takes too long', async () => {
    await expect(client.query('SELECT pg_sleep(60)')).rejects.toMatchObject(tooLong);
    await expect(client.query('SELECT pg_sleep($1)', [60])).rejects.toMatchObject(tooLong);
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('stops one in a transaction, even after a rollback to a savepoint', async () => {
    await client.query('START TRANSACTION');
    await client.query('SAVEPOINT first');
    expect((await client.query(inForce)).rows).toEqual(limits);
    await client.query('ROLLBACK TO SAVEPOINT first');
    await expect(client.query('SELECT pg_sleep(60)')).rejects.toMatchObject(tooLong);
    await expect(client.query('SELECT 1')).rejects.toMatchObject({ code: '25P02' });
    await client.query('ROLLBACK');
    await client.query('BEGIN');
    expect((await client.query(inForce)).rows).toEqual(limits);
    await client.query('COMMIT');
  });

  it("keeps a transaction's own limit", async () => {
    await client.query('BEGIN');
    await client.query(inForce);
    await client.query(`SELECT set_config('statement_timeout', '5s', true)`);
    expect((await client.query(inForce)).rows).toEqual([{ ...limits[0], statement: '5s' }]);
    await client.query('COMMIT');
  });

  it('accepts an isolation level before the first statement', async () => {
    await client.query('START TRANSACTION');
    await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    expect((await client.query('SHOW transaction_isolation')).rows).toEqual([
      { transaction_isolation: 'repeatable read' },
    ]);
    await client.query('COMMIT');
  });

  it('prepares a statement under its name once, and again after one that could not be parsed', async () => {
    await expect(client.query({ name: 'named', text: 'SELECT nothing' })).rejects.toMatchObject({ code: '42703' });
    const named = { name: 'named', text: 'SELECT $1::integer AS number' };
    for (const number of [1, 2])
      expect((await client.query({ ...named, values: [number] })).rows).toEqual([{ number }]);
    const { rows } = await client.query(`SELECT count(*)::integer AS count FROM pg_prepared_statements`);
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('returns the rows and the count of the statement only', async () => {
    const { rows, rowCount, command } = await client.query('SELECT * FROM generate_series(1, 3) AS number');
    expect([rows, rowCount, command]).toEqual([[{ number: 1 }, { number: 2 }, { number: 3 }], 3, 'SELECT']);
    expect((await client.query('DELETE FROM migrations WHERE false')).rowCount).toBe(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../../src/config/settings.js';
import { DatabaseAddress } from '../../../../src/database/connections/database-address.js';
import { Pipelines } from '../../../../src/database/connections/pipelines.js';
import { startTcpProxy, type TcpProxy } from '../../../support/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../../../support/test-database.js';

const settings = loadSettings({ DATABASE_POOL_SIZE: '2' });

let database: TestDatabase;
let proxy: TcpProxy;
let url: string;
beforeAll(async () => {
  database = await createTestDatabase();
  const address = new URL(database.url);
  proxy = await startTcpProxy(Number(address.port));
  address.port = String(proxy.port);
  url = address.href;
});
afterAll(async () => {
  await proxy.cut();
  await database.drop();
});

async function withPipelines<T>(
  work: (pipelines: Pipelines) => Promise<T>,
  address = new DatabaseAddress(url, url, true),
): Promise<T> {
  const pipelines = new Pipelines(address, settings);
  try {
    return await work(pipelines);
  } finally {
    await pipelines.onModuleDestroy();
  }
}

const echo = (value: number) => ({ name: 'echo', text: 'SELECT $1::integer AS value', values: [value] });
const sleep = { name: 'sleep', text: 'SELECT pg_sleep(60)', values: [] };
const fault = (n: number) => ({ name: 'fault', text: 'SELECT 1 / $1::integer', values: [n] });
const connections = `SELECT FROM pg_stat_activity WHERE application_name = 'store-service reads' AND datname = current_database()`;

async function valueOf(result: ReturnType<Pipelines['query']>): Promise<unknown> {
  return (await result)?.rows[0]?.['value'];
}

describe('Reads on one connection', () => {
  it('run many at once, and each gets its own rows', async () => {
    await withPipelines(async (pipelines) => {
      const values = Array.from({ length: 60 }, (_, n) => n);
      expect(await Promise.all(values.map((n) => valueOf(pipelines.query(echo(n)))))).toEqual(values);
      expect(await database.rows(connections)).toHaveLength(1);
    });
  });

  it('are given up if they take long, and those behind them are completed', async () => {
    await withPipelines(async (pipelines) => {
      const [slow, ...rest] = await Promise.all([
        pipelines.query(sleep),
        ...[1, 2, 3].map((n) => valueOf(pipelines.query(echo(n)))),
      ]);
      expect(slow).toBeNull();
      expect(rest).toEqual([1, 2, 3]);
    });
  });

  it('fail without affecting the others', async () => {
    await withPipelines(async (pipelines) => {
      const answers = [pipelines.query(fault(0)), valueOf(pipelines.query(echo(5))), pipelines.query(fault(1))];
      expect(await Promise.all(answers)).toEqual([null, 5, expect.objectContaining({ rowCount: 1 })]);
    });
  });

  it('leave the excess to the pool', async () => {
    await withPipelines(async (pipelines) => {
      const results = await Promise.all(Array.from({ length: 70 }, (_, n) => pipelines.query(echo(n))));
      expect(results.filter((result) => result === null)).toHaveLength(6);
    });
  });

  it('take another way while the connection is lost, and return to it afterwards', async () => {
    await withPipelines(async (pipelines) => {
      expect(await valueOf(pipelines.query(echo(1)))).toBe(1);
      const underWay = [pipelines.query(sleep), pipelines.query(echo(2))];
      await proxy.cut();
      expect(await Promise.all(underWay)).toEqual([null, null]);
      expect(await pipelines.query(echo(3))).toBeNull();
      await proxy.mend();
      expect(await valueOf(pipelines.query(echo(4)))).toBe(4);
    });
  });

  it('take another way behind a pooler, where no statement is prepared, and after the end', async () => {
    const others = [new DatabaseAddress(url, url, false), new DatabaseAddress(url, database.url, true)];
    for (const address of others) {
      await withPipelines(async (pipelines) => expect(await pipelines.query(echo(1))).toBeNull(), address);
    }
    const ended = new Pipelines(new DatabaseAddress(url, url, true), settings);
    await ended.onModuleDestroy();
    expect(await ended.query(echo(1))).toBeNull();
  });
});

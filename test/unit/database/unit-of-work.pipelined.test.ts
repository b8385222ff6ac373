import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { loadSettings } from '../../../src/config/settings.js';
import { requestConnectionExtras } from '../../../src/connections/connection-extras.js';
import { DatabaseAddress } from '../../../src/connections/database-address.js';
import { GroupCommit } from '../../../src/connections/group-commit.js';
import { Pipelines } from '../../../src/connections/pipelines.js';
import { Pulse } from '../../../src/connections/pulse.js';
import { Database } from '../../../src/database/database.js';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let test: TestDatabase;
let dataSource: DataSource;
let unitOfWork: UnitOfWork;
let database: Database;
beforeAll(async () => {
  test = await createTestDatabase();
  await test.rows('CREATE TABLE copied (n integer PRIMARY KEY)');
});
beforeEach(() => test.rows('TRUNCATE copied'));
afterAll(() => test.drop());

const copyInto = 'COPY copied (n) FROM STDIN';
const slow = { name: 'test.slow', text: 'SELECT pg_sleep(0.2)' };
const numbers = async () => (await test.rows('SELECT n FROM copied ORDER BY n')).map(({ n }) => n as number);
const sentBytes = () =>
  (unitOfWork.client as PoolClient & { connection: { stream: { bytesWritten: number } } }).connection.stream
    .bytesWritten;

/** Whether a statement is on its way before the one in front of it is answered. */
async function isSentAhead(): Promise<boolean> {
  const first = database.rows(slow);
  const before = sentBytes();
  const second = database.rows('SELECT 1 AS one');
  const after = sentBytes();
  await Promise.all([first, second]);
  return after > before;
}

describe.each([
  ['', false],
  [' behind a pooler', true],
])('A unit of work%s', (_where, isPooled) => {
  beforeAll(async () => {
    const extra = requestConnectionExtras(isPooled);
    dataSource = await new DataSource({ type: 'postgres', url: test.url, extra }).initialize();
    unitOfWork = new UnitOfWork(dataSource);
    const address = new DatabaseAddress(test.url, test.url, true);
    const settings = loadSettings({});
    database = new Database(
      dataSource,
      unitOfWork,
      address,
      new Pipelines(address, settings),
      new GroupCommit(address, settings),
      new Pulse(address, settings),
    );
  });
  afterAll(() => dataSource.destroy());

  it('sends statements ahead in its pipelined parts alone, and answers each', async () => {
    await unitOfWork.run(async () => {
      const answers = await unitOfWork.pipelined(async () => {
        expect(await isSentAhead()).toBe(true);
        const asked = [1, 2, 3].map((n) => database.row<{ n: number }>('SELECT $1::integer AS n', [n]));
        return Promise.all(asked);
      });
      expect(answers).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
      await database.rows(slow);
      expect((unitOfWork.client as unknown as { pipeline: boolean }).pipeline).toBe(false);
    });
  });

  it('copies lines behind and before other statements', async () => {
    const counts = await unitOfWork.run(() =>
      unitOfWork.pipelined(() =>
        Promise.all([
          database.copy(copyInto, ['1\n', '2\n']),
          database.row('SELECT count(*)::integer AS count FROM copied'),
          database.copy(copyInto, ['3\n']),
          database.row('SELECT count(*)::integer AS count FROM copied'),
        ]),
      ),
    );
    expect(counts).toEqual([2, { count: 2 }, 1, { count: 3 }]);
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it.each([
    ['that PostgreSQL refuses', 'COPY nowhere (n) FROM STDIN', ['1\n'], /"nowhere" does not exist/],
    ['with a broken line', copyInto, ['1\n', 'two\n'], /invalid input syntax/],
    ['with a line that is there already', copyInto, ['1\n', '1\n'], /duplicate key/],
  ])('is undone by a copy %s, and its connection goes on', async (_, sql, lines, reason) => {
    const failing = unitOfWork.run(async () => {
      await database.copy(copyInto, ['7\n']);
      await unitOfWork.pipelined(async () => {
        const [copied, behind] = await Promise.allSettled([
          database.copy(sql, lines),
          database.rows('SELECT 1 AS one'),
        ]);
        expect(behind).toMatchObject({ status: 'rejected', reason: { code: '25P02' } });
        if (copied.status === 'rejected') throw copied.reason;
      });
    });
    await expect(failing).rejects.toThrow(reason);
    expect(await numbers()).toEqual([]);
    await unitOfWork.run(() => database.copy(copyInto, ['8\n']));
    expect(await numbers()).toEqual([8]);
  });

  it('alone copies lines, and sends statements ahead', async () => {
    await expect(database.copy(copyInto, ['1\n'])).rejects.toThrow('within a unit of work');
    await expect(unitOfWork.pipelined(() => Promise.resolve())).rejects.toThrow('within a unit of work');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { loadSettings } from '../../../src/config/settings.js';
import { requestConnectionExtras } from '../../../src/database/connections/connection-extras.js';
import { DatabaseAddress } from '../../../src/database/connections/database-address.js';
import { GroupCommit } from '../../../src/database/connections/group-commit.js';
import { Pipelines } from '../../../src/database/connections/pipelines.js';
import { ConnectionWatchdog } from '../../../src/database/connections/connection-watchdog.js';
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
const numbers = async () => (await test.rows('SELECT n FROM copied ORDER BY n')).map(({ n }) => n as number);
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
      unitOfWork,
      address,
      new Pipelines(address, settings),
      new GroupCommit(address, settings),
      new ConnectionWatchdog(address, settings),
    );
  });
  afterAll(() => dataSource.destroy());

  it('copies lines between other statements', async () => {
    const counts = await unitOfWork.run(async () => [
      await database.copy(copyInto, ['1\n', '2\n']),
      await database.row('SELECT count(*)::integer AS count FROM copied'),
      await database.copy(copyInto, ['3\n']),
      await database.copy(copyInto, []),
      await database.row('SELECT count(*)::integer AS count FROM copied'),
    ]);
    expect(counts).toEqual([2, { count: 2 }, 1, 0, { count: 3 }]);
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  it.each([
    ['that PostgreSQL refuses', 'COPY nowhere (n) FROM STDIN', ['1\n'], /"nowhere" does not exist/],
    ['with a broken line', copyInto, ['1\n', 'two\n'], /invalid input syntax/],
    ['with a line that is there already', copyInto, ['1\n', '1\n'], /duplicate key/],
  ])('is undone by a copy %s, and its connection goes on', async (_, sql, lines, reason) => {
    const failing = unitOfWork.run(async () => {
      await database.copy(copyInto, ['7\n']);
      await database.copy(sql, lines);
    });
    await expect(failing).rejects.toThrow(reason);
    expect(await numbers()).toEqual([]);
    await unitOfWork.run(() => database.copy(copyInto, ['8\n']));
    expect(await numbers()).toEqual([8]);
  });

  it('alone copies lines', async () => {
    await expect(database.copy(copyInto, ['1\n'])).rejects.toThrow('within a unit of work');
  });
});

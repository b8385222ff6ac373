import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrationNames } from '../../../src/database/data-source-options.js';
import { migrate } from '../../../src/database/migrate.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('template0');
  await database.rows(
    'CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)',
  );
});
afterAll(() => database.drop());

describe('A migration that waits for a table', () => {
  it('lets others pass who wait behind it, and is done once the table is free', async () => {
    const holder = await HeldTransaction.open(database, 'LOCK TABLE migrations IN SHARE MODE');
    const migrating = migrate(database.url);
    await holder.blocks(1);
    const passing = await HeldTransaction.open(database, 'LOCK TABLE migrations IN SHARE MODE');
    await passing.commit();
    await holder.commit();
    expect(await migrating).toEqual(migrationNames());
  });
});

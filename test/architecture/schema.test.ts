import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dumpSchema } from '../support/schema-dump.js';
import { expectFile } from '../support/snapshot-file.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('The migrated schema', () => {
  it('matches the committed schema.sql', async () => {
    await expectFile(new URL('../../src/database/schema.sql', import.meta.url), await dumpSchema(database));
  });

  it('has an index for every foreign key', async () => {
    const bare = await database.rows(
      `SELECT c.conrelid::regclass::text AS "table", c.conname AS "key" FROM pg_constraint c
        WHERE c.contype = 'f' AND c.connamespace = 'public'::regnamespace AND NOT EXISTS (
          SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])`,
    );
    expect(bare).toEqual([]);
  });
});

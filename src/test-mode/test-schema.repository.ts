import pg from 'pg';
import type { DatabaseAddress } from '../database/connections/database-address.js';
import { makeTestSchema, searchInTestSchema } from './test-schema.statements.js';

/** Prepares a migrated database for test mode, before the service connects to it. */
export async function prepareTestSchema({ directUrl }: DatabaseAddress): Promise<void> {
  const client = new pg.Client({ connectionString: directUrl });
  await client.connect();
  try {
    for (const statement of makeTestSchema) await client.query(statement);
    await client.query(searchInTestSchema(client.escapeIdentifier(client.database ?? '')));
  } finally {
    await client.end();
  }
}

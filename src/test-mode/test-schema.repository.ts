import pg from 'pg';
import type { DatabaseAddress } from '../database/connections/database-address.js';
import { makeTestSchema, searchInTestSchema } from './test-schema.statements.js';

/** The schema of test mode in a migrated database to which the service does not connect yet. */
export class TestSchemaRepository {
  constructor(private readonly address: DatabaseAddress) {}

  async make(): Promise<void> {
    const client = new pg.Client({ connectionString: this.address.directUrl });
    await client.connect();
    try {
      for (const statement of makeTestSchema) await client.query(statement);
      await client.query(searchInTestSchema(client.escapeIdentifier(client.database ?? '')));
    } finally {
      await client.end();
    }
  }
}

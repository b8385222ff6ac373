import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Settings } from '../config/settings.js';
import { connectPatienceMs } from './connection-extras.js';
import { DatabaseAddress } from './database-address.js';

/**
 * Whether the pooler at `url` keeps prepared statements. One that does, such as PgBouncer since 1.21, prepares them on
 * the server under names of its own, since many clients share a session; one that does not passes the client's name on.
 */
async function keepsPreparedStatements(url: string): Promise<boolean> {
  const name = `store_probe_${randomBytes(8).toString('hex')}`;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectPatienceMs });
  client.on('error', () => undefined); // the statement under way throws it
  await client.connect();
  try {
    await client.query('BEGIN');
    const text = 'SELECT count(*)::integer AS count FROM pg_prepared_statements WHERE name = $1';
    const { rows } = await client.query<{ count: number }>({ name, text, values: [name] });
    if (rows[0]?.count !== 0) await client.query(`DEALLOCATE ${name}`);
    await client.query('COMMIT');
    return rows[0]?.count === 0;
  } finally {
    await client.end();
  }
}

/** The address of a database at `url`, which is a pooler's where DATABASE_URL_DIRECT says another. */
export async function addressOf(url: string, settings: Settings): Promise<DatabaseAddress> {
  const directUrl = settings.databaseUrlDirect ?? url;
  const prepared = settings.preparedStatements ?? (directUrl === url || (await keepsPreparedStatements(url)));
  return new DatabaseAddress(url, directUrl, prepared);
}

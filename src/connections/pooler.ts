import { randomBytes } from 'node:crypto';
import type { Settings } from '../config/settings.js';
import { connectPatienceMs } from './connection-extras.js';
import { DatabaseAddress } from './database-address.js';
import { preparedOfName } from './pooler.statements.js';
import { type DatabaseWay, wayTo } from './failover/database-way.js';

/**
 * Whether the pooler there keeps prepared statements. One that does, such as PgBouncer since 1.21, prepares them on
 * the server under names of its own, since many clients share a session; one that does not passes the client's name on.
 */
async function keepsPreparedStatements({ connectionString, Client }: DatabaseWay): Promise<boolean> {
  const name = `store_probe_${randomBytes(8).toString('hex')}`;
  const client = new Client({ connectionString, connectionTimeoutMillis: connectPatienceMs });
  client.on('error', () => undefined); // the statement under way throws it
  await client.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ count: number }>({ name, text: preparedOfName, values: [name] });
    if (rows[0]?.count !== 0) await client.query(`DEALLOCATE ${name}`);
    await client.query('COMMIT');
    return rows[0]?.count === 0;
  } finally {
    await client.end();
  }
}

async function keepsPreparedStatementsAt(url: string): Promise<boolean> {
  const way = wayTo(url, true);
  try {
    return await keepsPreparedStatements(way);
  } finally {
    await way.primary?.rest();
  }
}

/** The address of a database at `url`, which is a pooler's where DATABASE_URL_DIRECT says another. */
export async function addressOf(url: string, settings: Settings): Promise<DatabaseAddress> {
  const directUrl = settings.databaseUrlDirect ?? url;
  const prepared = settings.preparedStatements ?? (directUrl === url || (await keepsPreparedStatementsAt(url)));
  return new DatabaseAddress(url, directUrl, prepared);
}

import pg from 'pg';
import { StartError } from '../../config/start-error.js';
import { connectPatienceMs } from './connection-extras.js';
import { limitsOfRole } from './pooled-role.statements.js';

interface Limits {
  role: string;
  statement_timeout: string;
  idle_in_transaction_session_timeout: string;
  enable_seqscan: string;
}

/**
 * Throws `StartError` if statements through the pooler at `url` would have no time limits: a pooler ignores the
 * settings of its clients, so the role must have them.
 */
export async function checkPooledRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectPatienceMs });
  client.on('error', () => undefined); // the current statement throws it
  await client.connect();
  try {
    const { rows } = await client.query<Limits>(limitsOfRole);
    const [limits] = rows;
    const isLimited = limits?.statement_timeout !== '0' && limits?.idle_in_transaction_session_timeout !== '0';
    if (limits === undefined || (isLimited && limits.enable_seqscan === 'off')) return;
    throw new StartError(
      `The role ${limits.role} sets no time limits for statements behind a pooler. As the owner of the ` +
        `database, run: ` +
        `ALTER ROLE ${limits.role} SET statement_timeout = '30s'; ` +
        `ALTER ROLE ${limits.role} SET idle_in_transaction_session_timeout = '60s'; ` +
        `ALTER ROLE ${limits.role} SET enable_seqscan = off; ALTER ROLE ${limits.role} SET jit = off; ` +
        'then let the pooler reconnect (RECONNECT)',
    );
  } finally {
    await client.end();
  }
}

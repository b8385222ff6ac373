import pg from 'pg';
import type { DatabaseWay } from './failover/database-way.js';
import { limitedClient } from './limited-client.js';
import type { ServerSettings } from './limited-client.statements.js';

const numericOid = 1700;
const int8Oid = 20;

/** Reads numeric and bigint columns as numbers: all our values fit a double exactly at their scale. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === numericOid || oid === int8Oid
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * A connection can break after it left the pool and before its holder listens for errors, which would end the process
 * without this. The holder gets the error from the next statement.
 */
function outlive(client: pg.ClientBase): void {
  client.on('error', () => undefined);
}

/**
 * What a connection of the service's pool begins with. A new shop is analyzed while its tables are empty, and those of
 * carts and sessions are small whenever they are: a prepared statement that was planned then would read all of the table,
 * with the dead rows of all that came and went, for as long as PostgreSQL keeps the plan. All that requests ask goes by an
 * index, so plans without one are not wanted.
 */
const plans = { enable_seqscan: 'off', jit: 'off' };
export const planSettings = Object.entries(plans)
  .map(([name, value]) => `SET ${name} = ${value}`)
  .join('; ');

const idleTransactionMs = 60_000;
/** How long a connection may take to come about. */
export const connectPatienceMs = 5_000;

/** As `connectionExtras`, for the pool that serves requests. */
export function requestConnectionExtras(
  way: DatabaseWay,
  statementTimeoutMs: number,
  isPooled: boolean,
): pg.PoolConfig {
  if (isPooled) return pooledConnectionExtras(way, statementTimeoutMs, plans);
  const onConnect = (client: pg.ClientBase) => {
    outlive(client);
    // Sent ahead of the statement that asked for the connection, which gets the error of one that broke.
    client.query(planSettings).catch(() => undefined);
  };
  return { ...connectionExtras(way, statementTimeoutMs), onConnect };
}

/** The options of every connection; `statementTimeoutMs` 0 sets no limit. */
export function connectionExtras({ connectionString, Client }: DatabaseWay, statementTimeoutMs: number): pg.PoolConfig {
  return {
    connectionString,
    Client,
    types,
    ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    idle_in_transaction_session_timeout: idleTransactionMs,
    keepAlive: true,
    onConnect: outlive,
  };
}

/** The same behind a pooler, with further settings of the server that each transaction begins with. */
export function pooledConnectionExtras(
  { connectionString, Client }: DatabaseWay,
  statementTimeoutMs: number,
  settings: ServerSettings = {},
): pg.PoolConfig {
  const limits = {
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(idleTransactionMs),
  };
  const Limited = limitedClient({ ...limits, ...settings }, Client);
  return { connectionString, Client: Limited, types, keepAlive: true, onConnect: outlive };
}

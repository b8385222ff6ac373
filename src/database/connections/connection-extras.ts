import pg from 'pg';

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
 * The planner's settings for requests. The tables of a new shop are empty when they are analyzed, and those of carts
 * and sessions are always small. A prepared statement that is planned then would scan the whole table, dead rows
 * included, for as long as PostgreSQL keeps the plan. Every query of a request has an index to use, so plans without
 * one are turned off.
 */
export const planSettings = 'SET enable_seqscan = off; SET jit = off';

export const statementTimeoutMs = 30_000;
export const idleTransactionMs = 60_000;
/** The time limit for opening a connection. */
export const connectPatienceMs = 5_000;

/**
 * The options of every connection; `timeoutMs` limits each statement, 0 does not. A pooler does not pass these limits
 * on: its role has those of `docs/scale.md`, which the start checks.
 */
export function connectionExtras(timeoutMs: number): pg.PoolConfig {
  return {
    types,
    ...(timeoutMs > 0 ? { statement_timeout: timeoutMs } : { options: '-c statement_timeout=0' }),
    idle_in_transaction_session_timeout: idleTransactionMs,
    keepAlive: true,
    onConnect: outlive,
  };
}

/** Like `connectionExtras`, for the pool that serves requests. */
export function requestConnectionExtras(isPooled: boolean): pg.PoolConfig {
  const onConnect = (client: pg.ClientBase): void => {
    outlive(client);
    // Sent before the first statement of the connection, which gets the error if the connection breaks.
    if (!isPooled) client.query(planSettings).catch(() => undefined);
  };
  return { ...connectionExtras(statementTimeoutMs), onConnect };
}

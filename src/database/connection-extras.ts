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

/** The options of every connection beside its address; `statementTimeoutMs` 0 sets no limit. */
export function connectionExtras(statementTimeoutMs: number): pg.PoolConfig {
  return {
    types,
    ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    onConnect: outlive,
  };
}

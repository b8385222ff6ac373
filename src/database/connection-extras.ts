import pg from 'pg';

const numericOid = 1700;
const int8Oid = 20;

/** Numeric and bigint columns are read as numbers: all that we keep fits a double exactly at its scale. */
const types = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === numericOid || oid === int8Oid
      ? Number
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
};

/**
 * A connection can be cut in the moment between its being taken from the pool and its holder's own care for it: without this,
 * such an error would end the process. Whoever has the connection is told by the next statement.
 */
function outlive(client: pg.ClientBase): void {
  client.on('error', () => undefined);
}

/** What every connection of ours has beside its address; `statementTimeoutMs` 0 sets no limit. */
export function connectionExtras(statementTimeoutMs: number): pg.PoolConfig {
  return {
    types,
    ...(statementTimeoutMs > 0 ? { statement_timeout: statementTimeoutMs } : {}),
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    onConnect: outlive,
  };
}

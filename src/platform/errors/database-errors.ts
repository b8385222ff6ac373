/** Errors of node-postgres and TypeORM, as far as the rules need them. */
interface DatabaseError {
  code?: string;
  severity?: string;
  constraint?: string;
  routine?: string;
  message?: string;
  driverError?: DatabaseError;
}

const readOnlyTransaction = '25006';

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57014', // query_canceled: a statement ran into its time limit
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '53300', // too_many_connections
  readOnlyTransaction, // connected to a standby during a failover
  '3D000', // invalid_catalog_name: the database is being replaced
]);
/** TypeORM releases the runner of a broken connection: later calls find it released. */
const connectionMessages =
  /Connection terminated|timeout expired|Query read timeout|timeout exceeded when trying to connect|Connection ended|not queryable|Driver not Connected|Cannot use a pool after calling end|Query runner already released/i;

/** The codes of errors by the words that begin them. */
const lostCodes: [code: string, words: RegExp][] = [
  ['08006', /^(failed to (complete )?COPY|failure on connection)/],
  ['08006', /^(server closed the connection|connection not open)/],
  ['57P01', /^terminating connection/],
  ['57P03', /^the database system is/],
  ['57014', /^canceling statement/],
  ['40P01', /^deadlock detected/],
  ['40001', /^could not serialize access/],
  ['53100', /^could not (extend|write) .*No space left on device/],
  ['53200', /^out of (shared )?memory/],
];

function driverErrorOf(error: unknown): DatabaseError {
  if (typeof error !== 'object' || error === null) return {};
  const outer = error as DatabaseError & { errors?: unknown[] };
  if (outer.errors?.length && !outer.code) return driverErrorOf(outer.errors[0]);
  return withLostCode(outer.driverError ?? outer);
}

/**
 * If another server fails within a COPY, or its connection breaks, Citus repeats the server's message as an internal
 * error without its code. If the lines of COPY or their end cannot be sent, it reports a disk error.
 */
function withLostCode(error: DatabaseError): DatabaseError {
  const { code, message = '' } = error;
  if (code !== 'XX000' && code !== '58030') return error;
  const lost = lostCodes.find(([, words]) => words.test(message))?.[0];
  return lost === undefined ? error : { message, code: lost };
}

/**
 * Whether the error means that the database cannot be reached, rather than that the statement was wrong. That includes
 * a PANIC, such as a full disk of its log: PostgreSQL then ends, and a transaction that was being committed may be
 * there afterwards.
 */
export function isDatabaseAway(error: unknown): boolean {
  const { code = '', severity, message = '' } = driverErrorOf(error);
  return severity === 'PANIC' || connectionCodes.has(code) || code.startsWith('08') || connectionMessages.test(message);
}

/**
 * Whether PostgreSQL had no disk or memory left for a statement, or its disk failed (classes 53 and 58 of its codes).
 */
export function isDatabaseExhausted(error: unknown): boolean {
  const { code = '' } = driverErrorOf(error);
  return /^5[38]...$/.test(code) && !isDatabaseAway(error);
}

/** Whether the error has nothing to do with the statement: the database cannot be reached or has no room. */
export function isOutage(error: unknown): boolean {
  return (isDatabaseAway(error) || isDatabaseExhausted(error)) && !isStatementTimeout(error);
}

/** Whether the server rejects writes, as a primary that became a standby. A new connection leads to its successor. */
export function isReadOnlyServer(error: unknown): boolean {
  return driverErrorOf(error).code === readOnlyTransaction;
}

/** Whether a statement ran into its time limit, or was canceled otherwise. */
export function isStatementTimeout(error: unknown): boolean {
  return driverErrorOf(error).code === '57014';
}

/** Whether a statement did not get a lock in time. */
export function isLockTimeout(error: unknown): boolean {
  return driverErrorOf(error).code === '55P03';
}

/** The words of Citus for statements that meet tables being spread over servers, or shards that move. */
const ofMovingShards = ['could not find valid entry for shard', 'direct joins between', 'complex joins are only'];

/**
 * Whether the transaction lost against another one and may be retried: serialization failure, deadlock, or tables that
 * somebody has just spread over servers.
 */
export function isTransientConflict(error: unknown): boolean {
  const { code = '', message = '' } = driverErrorOf(error);
  if (code === 'XX000' || code === '0A000') return ofMovingShards.some((text) => message.startsWith(text));
  return code === '40001' || code === '40P01';
}

/** The name of the unique index or foreign key that a write violates, or null if the error is another one. */
export function violatedKey(error: unknown): string | null {
  const { code, constraint } = driverErrorOf(error);
  return code === '23505' || code === '23503' ? (constraint ?? '') : null;
}

/** Whether a row found no partition of its table, here or on a server of Citus, which does not name the routine. */
export function isMissingPartition(error: unknown): boolean {
  const { code, routine, message = '' } = driverErrorOf(error);
  return code === '23514' && (routine === 'ExecFindPartition' || message.startsWith('no partition of relation'));
}

/** Whether PostgreSQL, or Citus there, does not support the statement. */
export function isNotSupported(error: unknown): boolean {
  return driverErrorOf(error).code === '0A000';
}

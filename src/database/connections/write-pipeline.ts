import pg, { type Client, type QueryResult } from 'pg';
import { isDatabaseAway, isReadOnlyServer, isStatementTimeout } from '../../platform/errors/database-errors.js';
import { connectionExtras, planSettings } from './connection-extras.js';

/** A write that waits longer for a lock, or runs longer, is rolled back, so that the writes behind it do not wait. */
const lockTimeoutMs = 100;
const statementTimeoutMs = 1_000;
/** Each statement finds its rows by an index whatever its values are: one plan serves all, from the first run on. */
const onePlanForAll = 'SET plan_cache_mode = force_generic_plan';

interface Named {
  readonly name: string;
  readonly text: string;
}

/** A short write, which finds its rows by an index. */
export interface SharedWrite {
  readonly statement: Named & { readonly values: unknown[] };
  /** The owner of the rows that it locks first. The writes of a transaction run in the order of their owners. */
  readonly owner: string;
  /**
   * For a write that locks further rows: a statement that locks the first rows of the owners $1, in their order, and
   * then the further rows of the owners $2, in an order that all transactions keep to.
   */
  readonly locks?: Named | undefined;
}

/** A write and the callback for its outcome: the result, or null if nothing was written. */
export interface WaitingWrite extends SharedWrite {
  resolve(result: QueryResult | null): void;
  reject(error: unknown): void;
}

const byOwner = (one: SharedWrite, other: SharedWrite) =>
  one.owner < other.owner ? -1 : Number(one.owner > other.owner);

/** Whether the server rolled back the failed write and still responds. */
function isRolledBack(error: unknown): boolean {
  return !isDatabaseAway(error) || isStatementTimeout(error);
}

/** The statements that lock the rows of `writes` in advance, with their values. */
function locksAhead(writes: readonly SharedWrite[]) {
  const owners = writes.map(({ owner }) => owner);
  const statements = new Set(writes.flatMap(({ locks }) => locks ?? []));
  return [...statements].map((locks) => ({
    ...locks,
    values: [owners, writes.filter((write) => write.locks === locks).map(({ owner }) => owner)],
  }));
}

/** The results of the writes in one transaction, which is sent as one message; null if it was rolled back. */
async function transact(client: Client, writes: readonly SharedWrite[]): Promise<QueryResult[] | null> {
  const { stream } = client.connection;
  stream.cork();
  const begun = client.query('BEGIN');
  const locked = locksAhead(writes).map((statement) => client.query(statement));
  const written = writes.map(({ statement }) => client.query(statement));
  const committed = client.query('COMMIT');
  stream.uncork();
  // After the first failure PostgreSQL refuses the rest, and the end is a rollback.
  const answered = Promise.allSettled([begun, ...locked, ...written]);
  const { command } = await committed;
  const outcomes = await answered;
  if (outcomes.some((outcome) => outcome.status === 'rejected' && isReadOnlyServer(outcome.reason))) void client.end();
  return command === 'COMMIT' ? Promise.all(written) : null;
}

/** A connection on which the writes of several requests become one transaction. */
export class WritePipeline {
  private readonly underWay = new Set<Promise<void>>();
  private opening: Promise<void> | undefined;
  private client: Client | undefined;

  constructor(
    private readonly url: string,
    private readonly patienceMs: number,
  ) {}

  get isOpen(): boolean {
    return this.client !== undefined;
  }

  /** The number of transactions in flight. */
  get depth(): number {
    return this.underWay.size;
  }

  /** Opens the connection unless it is open; if that fails, the next call tries again. */
  open(): void {
    if (this.client) return;
    this.opening ??= this.connect()
      .catch(() => undefined)
      .finally(() => (this.opening = undefined));
  }

  /**
   * Runs the writes in one transaction and reports each outcome after the commit; rejects those whose outcome is
   * unknown, as when the connection is lost. It must be open.
   */
  run(writes: readonly WaitingWrite[]): Promise<void> {
    const run = this.results([...writes].sort(byOwner)).then(
      (results) => writes.forEach((write) => write.resolve(results?.get(write) ?? null)),
      (error: unknown) => writes.forEach((write) => write.reject(error)),
    );
    this.underWay.add(run);
    return run.finally(() => this.underWay.delete(run));
  }

  /** Ends after the transactions in flight. */
  async close(): Promise<void> {
    await Promise.all([this.opening, ...this.underWay]);
    await this.client?.end();
  }

  private async results(writes: readonly WaitingWrite[]): Promise<Map<WaitingWrite, QueryResult | undefined> | null> {
    const { client } = this;
    const [only] = writes;
    if (!client || !only) return null;
    try {
      const results = writes.length === 1 ? [await client.query(only.statement)] : await transact(client, writes);
      return results && new Map(writes.map((write, index) => [write, results[index]]));
    } catch (error) {
      if (isRolledBack(error)) return null;
      throw error;
    }
  }

  private async connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.url,
      ...connectionExtras(statementTimeoutMs),
      lock_timeout: lockTimeoutMs,
      connectionTimeoutMillis: this.patienceMs,
      // A silent connection is given up; a normal write ends or is rolled back before.
      query_timeout: this.patienceMs + statementTimeoutMs,
      application_name: 'store-service writes',
      pipeline: true,
    });
    const forget = () => {
      if (this.client === client) this.client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    await client.query(`${planSettings}; ${onePlanForAll}`);
    this.client = client;
  }
}

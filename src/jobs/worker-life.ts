import type { Pool, PoolClient } from 'pg';

/** Any number that belongs to this purpose alone. */
const lockClass = 528_411_301;
const beatMs = 2_000;
const beatPatienceMs = 5_000;

/**
 * SQL that is true while the worker whose id `expression` gives is alive, however slow it may be: an advisory lock in its
 * name is held by its own connection, which ends with its process.
 */
export function workerIsAlive(expression: string): string {
  return `EXISTS (SELECT FROM pg_locks
    WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND classid = ${lockClass} AND objid = hashtext(${expression})::oid AND objsubid = 2 AND granted)`;
}

// A transaction's lock, for a pooler may give each transaction another session. It reads nothing, so it keeps no row
// version from being cleared away. A machine that is cut off, rather than one that ends, is found out by keep-alives.
const begin = `
  BEGIN;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL tcp_keepalives_idle = 10;
  SET LOCAL tcp_keepalives_interval = 5;
  SET LOCAL tcp_keepalives_count = 3`;

/** The proof that workers of this process are alive, kept up on a connection of its own. */
export class WorkerLife {
  private ended = false;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    private readonly client: PoolClient,
    private readonly onLost: (reason: Error) => void,
  ) {
    client.on('error', this.lose);
  }

  /** Connects; throws where the database is away. `onLost` is called once if the proof ends before `release`. */
  static async begin(pool: Pool, onLost: (reason: Error) => void): Promise<WorkerLife> {
    const life = new WorkerLife(await pool.connect(), onLost);
    try {
      await life.client.query(begin);
      return life;
    } catch (error) {
      life.lose(error as Error);
      throw error;
    }
  }

  /** Takes the locks of these workers. */
  async prove(workerIds: string[]): Promise<void> {
    await this.client.query('SELECT pg_advisory_xact_lock_shared($1, hashtext(id)) FROM unnest($2::text[]) AS id', [
      lockClass,
      workerIds,
    ]);
    this.timer = setTimeout(() => void this.beat(), beatMs);
  }

  /** Lets the locks go. */
  async release(): Promise<void> {
    if (this.ended) return;
    this.end();
    try {
      await this.client.query('COMMIT');
      this.client.release();
    } catch (error) {
      this.client.release(error as Error);
    }
  }

  private async beat(): Promise<void> {
    const late = setTimeout(() => this.lose(new Error('The database does not answer')), beatPatienceMs);
    try {
      await this.client.query('SELECT');
      if (!this.ended) this.timer = setTimeout(() => void this.beat(), beatMs);
    } catch (error) {
      this.lose(error as Error);
    } finally {
      clearTimeout(late);
    }
  }

  private readonly lose = (reason: Error): void => {
    if (this.ended) return;
    this.end();
    this.client.release(reason);
    this.onLost(reason);
  };

  private end(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.client.off('error', this.lose);
  }
}

import pg, { type QueryResultRow } from 'pg';
import type { Settings } from '../config/settings.js';
import { connectionExtras, connectPatienceMs, requestConnectionExtras } from '../connections/connection-extras.js';
import type { Statement } from '../database/database.js';
import type { DatabaseWay } from '../connections/failover/database-way.js';
import { positionOfPrimary, stateOfReplica } from './replica.statements.js';
import { type Lsn, parseLsn, type Position } from './replica-positions.js';

const watchMs = 2_000;
const listMs = 30_000;

/** What a read is like: a list by an index, or a search, which takes longer and has connections of its own. */
export type ReadKind = 'list' | 'search';

function poolOf(name: string, max: number, extras: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...extras,
    max,
    connectionTimeoutMillis: Math.min(connectPatienceMs, watchMs),
    application_name: `store-service ${name}`,
  });
  pool.on('error', () => undefined); // a lost idle connection is replaced by the pool
  return pool;
}

async function answerOf<Row extends QueryResultRow>(pool: pg.Pool, text: string): Promise<Row> {
  const { rows } = await pool.query<Row>({ text, query_timeout: watchMs } as pg.QueryConfig);
  return rows[0] as Row;
}

/** The connection by which the primary is asked for its position. */
export class PrimaryPosition {
  private readonly pool: pg.Pool;

  constructor(way: DatabaseWay) {
    this.pool = poolOf('position', 1, connectionExtras(way, 0));
  }

  async now(): Promise<Position> {
    const { lsn, timeline } = await answerOf<{ lsn: string; timeline: string }>(this.pool, positionOfPrimary);
    return { lsn: parseLsn(lsn), timeline };
  }

  async end(): Promise<void> {
    await this.pool.end();
  }
}

/** A server that replays the primary's log, and answers reads meanwhile. */
export class Replica {
  private readonly watch: pg.Pool;
  private pools: Record<ReadKind, pg.Pool>;
  private looking: Promise<void> | undefined;
  private readonly reading = new Set<(error: Error) => void>();
  /** How far it said it was when it was last asked; null where it is none that replays a log. */
  found: Lsn | null = null;
  /** How far it is in the log of the primary; null where it does not serve as a replica of that. */
  replayed: Lsn | null = null;
  /** Where it was ahead of the primary, in a log that a promotion left behind: no further does it follow that. */
  private strayed: Lsn = 0n;

  private readonly way: DatabaseWay;

  constructor(
    url: string,
    private readonly settings: Settings,
  ) {
    this.way = { connectionString: url, Client: pg.Client, primary: null };
    this.watch = poolOf('replica watch', 1, connectionExtras(this.way, 0));
    this.pools = this.newPools();
  }

  private newPools(): Record<ReadKind, pg.Pool> {
    const { databasePoolSize, searchPoolSize, searchSeconds } = this.settings;
    return {
      list: poolOf('lists', databasePoolSize, requestConnectionExtras(this.way, listMs, false)),
      search: poolOf('searches', searchPoolSize, connectionExtras(this.way, searchSeconds * 1_000)),
    };
  }

  /** Gives up what is being read: a server that falls silent answers nothing, and ends nothing. */
  private lose(): void {
    if (this.reading.size === 0) return;
    const silent = this.pools;
    this.pools = this.newPools();
    for (const pool of Object.values(silent)) void pool.end();
    for (const fail of this.reading) fail(new Error('Connection terminated: the replica is away'));
  }

  /** Asks it how far it is, unless it is being asked. One that cannot be asked, or was promoted, does not serve. */
  look(): Promise<void> {
    this.looking ??= this.ask().finally(() => (this.looking = undefined));
    return this.looking;
  }

  private async ask(): Promise<void> {
    const found = await answerOf<{ standby: boolean; lsn: string | null }>(this.watch, stateOfReplica).catch(
      () => null,
    );
    if (found === null) this.lose();
    this.found = found?.standby && found.lsn !== null ? parseLsn(found.lsn) : null;
  }

  /**
   * Compares what was found with where the primary was afterwards, null where nobody knows. One that was ahead has what
   * the primary lacks, and serves no more until it is seen beyond that and not ahead: made anew, as a standby of this one.
   */
  judge(found: Lsn | null, primary: Lsn | null): void {
    if (found === null) this.replayed = null;
    if (found === null || primary === null) return;
    if (found > primary && found > this.strayed) this.strayed = found;
    this.replayed = found > this.strayed ? found : null;
  }

  /** Runs a read; rejects as if its connection had ended where the replica is found to be away meanwhile. */
  rows<Row extends QueryResultRow>(
    kind: ReadKind,
    sql: Statement | string,
    values: unknown[],
    prepared: boolean,
  ): Promise<Row[]> {
    const { name, text } = typeof sql === 'string' ? { name: undefined, text: sql } : sql;
    const named = prepared && name !== undefined ? { name } : {};
    return new Promise((resolve, reject) => {
      this.reading.add(reject);
      const query = this.pools[kind].query<Row>({ ...named, text, values });
      query.then(({ rows }) => resolve(rows), reject).finally(() => this.reading.delete(reject));
    });
  }

  async end(): Promise<void> {
    await Promise.all([this.watch, ...Object.values(this.pools)].map((pool) => pool.end()));
  }
}

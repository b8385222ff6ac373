import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import pg from 'pg';
import type { QueryResultRow } from 'pg';
import { onClientDisconnect } from '../platform/concurrency/client-disconnect.js';
import { FairSemaphore, NotAdmitted } from '../platform/concurrency/fair-semaphore.js';
import { isStatementTimeout } from '../platform/errors/database-errors.js';
import { Invalid } from '../platform/errors/invalid.js';
import { RateExceeded, Unavailable } from '../platform/errors/errors.js';
import { Settings } from '../config/settings.js';
import { connectionExtras } from './connections/connection-extras.js';
import type { BoundStatement, Statement } from './database.js';
import { DatabaseAddress } from './connections/database-address.js';
import { ConnectionWatchdog } from './connections/connection-watchdog.js';
import { traced } from './traced-statement.js';

/** Connections of a node for searches alone. */
const poolSize = 4;
const bounds = { waiting: 200, waitingPerKey: 32, waitMs: 15_000 };
const comeBackSeconds = 5;
/** How often PostgreSQL checks that the connection of a running statement still exists. */
const noticeMs = 250;

/**
 * Runs reads whose cost depends on the search. They have their own connections, so that logins and the catalog keep
 * theirs; each organization runs a few at once, for a few seconds at most.
 */
@Injectable()
export class Searches implements OnModuleDestroy {
  readonly connections: pg.Pool;
  private readonly semaphore: FairSemaphore;
  /**
   * Whether PostgreSQL ends a statement whose connection is gone, which it does not do behind a pooler or on every
   * platform.
   */
  private endsWithConnection = false;

  constructor(
    private readonly address: DatabaseAddress,
    private readonly settings: Settings,
    pulse: ConnectionWatchdog,
  ) {
    const { searchSeconds, quotas } = settings;
    const extras = connectionExtras(searchSeconds * 1_000);
    this.connections = new pg.Pool({
      connectionString: address.url,
      ...extras,
      onConnect: (client) => {
        extras.onConnect?.(client);
        if (address.isPooled) return;
        client.query(`SET client_connection_check_interval = ${noticeMs}`).then(
          () => (this.endsWithConnection = true),
          () => (this.endsWithConnection = false),
        );
      },
      max: poolSize,
      connectionTimeoutMillis: settings.databasePatienceSeconds * 1_000,
      application_name: 'store-service searches',
    });
    this.connections.on('error', () => undefined); // a lost idle connection is replaced by the pool
    pulse.watch(this.connections);
    this.semaphore = new FairSemaphore({ ...bounds, atOnce: poolSize, atOncePerKey: quotas.searches.limit });
  }

  async onModuleDestroy(): Promise<void> {
    if (!this.connections.ending) await this.connections.end();
  }

  /**
   * All rows of a statement. `RateExceeded` where the organization runs too many searches at once, `Unavailable` where
   * all organizations together do, `Invalid` where the search takes too long.
   */
  rows<Row extends QueryResultRow>(organizationId: string, sql: Statement | string, values: unknown[]): Promise<Row[]> {
    return this.admitted(organizationId, () => this.query<Row>(sql, values));
  }

  /** Like `rows`, for the first statement with enough rows, else for the last one. */
  rowsOfFirst<Row extends QueryResultRow>(
    organizationId: string,
    statements: BoundStatement[],
    areEnough: (rows: Row[]) => boolean,
  ): Promise<Row[]> {
    return this.admitted(organizationId, async () => {
      let rows: Row[] = [];
      for (const { sql, values } of statements) {
        rows = await this.query<Row>(sql, values);
        if (areEnough(rows)) break;
      }
      return rows;
    });
  }

  private async admitted<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.semaphore.run(work, { key: organizationId, isForCaller: true });
    } catch (error) {
      if (error instanceof NotAdmitted) throw this.notAdmitted(error);
      if (isStatementTimeout(error)) throw this.tooBroad();
      throw error;
    }
  }

  private async query<Row extends QueryResultRow>(sql: Statement | string, values: unknown[]): Promise<Row[]> {
    const { name, text } = typeof sql === 'string' ? { name: undefined, text: sql } : sql;
    const prepared = this.address.preparedStatements ? name : undefined;
    const query = { ...(prepared === undefined ? {} : { name: prepared }), text, values };
    return (await traced({ sql, values }, () => this.ask<Row>(query))).rows;
  }

  /**
   * Stops the statement with its connection if the caller hangs up: nobody else could use its rows. It keeps its place
   * until PostgreSQL has noticed, so that callers who start and hang up repeatedly do not run more searches at once.
   */
  private async ask<Row extends QueryResultRow>(query: pg.QueryConfig): Promise<pg.QueryResult<Row>> {
    const client = await this.connections.connect();
    let isGone = false;
    const forget = onClientDisconnect(() => {
      if (!this.endsWithConnection) return;
      isGone = true;
      client.release(true);
    });
    try {
      return await this.limited(client, () => client.query<Row>(query));
    } catch (error) {
      if (!isGone) throw error;
      await sleep(2 * noticeMs, undefined, { ref: false });
      throw new NotAdmitted('abandoned');
    } finally {
      forget();
      if (!isGone) client.release();
    }
  }

  /** Behind a pooler a connection has no limit of its own, but a transaction can. */
  private async limited<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
    if (!this.address.isPooled) return work();
    await client.query('BEGIN READ ONLY');
    try {
      await client.query(`SET LOCAL statement_timeout = ${this.settings.searchSeconds * 1_000}`);
      return await work();
    } finally {
      await client.query('ROLLBACK');
    }
  }

  private notAdmitted({ keyAtLimit }: NotAdmitted): Error {
    if (keyAtLimit) return new RateExceeded(this.settings.quotas.searches, comeBackSeconds);
    return new Unavailable('Too many searches are waiting: try again in a few seconds', 'busy', comeBackSeconds);
  }

  private tooBroad(): Invalid {
    const sentence =
      `The search was stopped after ${this.settings.searchSeconds} s: ` +
      'narrow it with a longer or rarer text, or with other filters';
    return Invalid.at(['query'], 'search_too_broad', sentence);
  }
}

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { from } from 'pg-copy-streams';
import { DatabaseAddress } from './connections/database-address.js';
import { Pipelines } from './connections/pipelines.js';
import { GroupCommit } from './connections/group-commit.js';
import { ConnectionWatchdog } from './connections/connection-watchdog.js';
import { SlowStatements } from './slow-statements.js';
import { traced } from './traced-statement.js';
import { UnitOfWork } from './unit-of-work.js';

/** A frequent statement, which each connection prepares under its unique name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement with its values; plain text if the planner should see the values. */
export interface BoundStatement {
  sql: Statement | string;
  values: unknown[];
}

const statements = new Map<string, string>();

/** Names a statement. Throws where another one has the name. */
export function statement(name: string, text: string): Statement {
  if (statements.has(name)) throw new Error(`Two statements are named ${name}`);
  statements.set(name, text);
  return { name, text };
}

/** The name of a statement by its text; unprepared statements are sent without a name. */
export function statementName(text: string): string | undefined {
  return [...statements].find(([, other]) => other === text)?.[0];
}

/** Runs SQL on the connection of the current unit of work, else on one of the pool. */
@Injectable()
export class Database {
  /** The pool that requests share. */
  readonly connections: Pool;
  /** Those of this node that took long. */
  readonly slow = new SlowStatements();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly address: DatabaseAddress,
    private readonly pipelines: Pipelines,
    private readonly groupCommit: GroupCommit,
    pulse: ConnectionWatchdog,
  ) {
    this.connections = unitOfWork.connections;
    pulse.watch(this.connections);
  }

  /** All rows of a statement: prepared where it has a name, else plain. */
  async rows<Row extends QueryResultRow>(sql: Statement | string, values: unknown[] = []): Promise<Row[]> {
    return (await this.query<Row>(sql, values)).rows;
  }

  /** The first row, or null. */
  async row<Row extends QueryResultRow>(sql: Statement | string, values: unknown[] = []): Promise<Row | null> {
    return (await this.query<Row>(sql, values)).rows[0] ?? null;
  }

  /**
   * Like `rows`, for a short read by an index: outside a unit of work it shares a connection with others. A statement
   * that takes longer delays the others by at most 200 ms, and runs again on its own connection.
   */
  async shortRead<Row extends QueryResultRow>(sql: Statement, values: unknown[] = []): Promise<Row[]> {
    return (await this.sharedRead<Row>(sql, values)) ?? this.rows<Row>(sql, values);
  }

  /** Like `shortRead`, but null if it would have to run on a connection of its own. */
  async sharedRead<Row extends QueryResultRow>(sql: Statement, values: unknown[] = []): Promise<Row[] | null> {
    if (this.unitOfWork.client) return null;
    const result = await traced({ sql, values }, () => this.pipelines.query<Row>({ ...sql, values }));
    return result && result.rows;
  }

  /** The first row of a short read, or null. */
  async shortReadOfRow<Row extends QueryResultRow>(sql: Statement, values: unknown[] = []): Promise<Row | null> {
    return (await this.shortRead<Row>(sql, values))[0] ?? null;
  }

  /**
   * The first row, or null, of a short write by an index. Outside a unit of work it is committed together with others,
   * or alone if one of those fails or its rows are locked. `owner` and `locks` are those of `SharedWrite`.
   */
  async sharedWriteOfRow<Row extends QueryResultRow>(
    sql: Statement,
    values: unknown[],
    { owner, locks }: { owner: string; locks?: Statement },
  ): Promise<Row | null> {
    if (this.unitOfWork.client) return this.row<Row>(sql, values);
    const send = (bound: BoundStatement) => {
      const write = { statement: { ...(bound.sql as Statement), values: bound.values }, owner, locks };
      return this.groupCommit.write<Row>(write, () => this.send<Row>(bound.sql, bound.values));
    };
    return (await traced({ sql, values }, send)).rows[0] ?? null;
  }

  /** The one row of a statement that always returns one, such as an insert with its RETURNING. */
  async one<Row extends QueryResultRow>(sql: Statement | string, values: unknown[] = []): Promise<Row> {
    const row = await this.row<Row>(sql, values);
    if (!row) throw new Error('A statement that always returns a row returned none');
    return row;
  }

  /** Runs a statement for its effect and returns how many rows it affected. */
  async execute(sql: Statement | string, values: unknown[] = []): Promise<number> {
    return (await this.query(sql, values)).rowCount ?? 0;
  }

  /** Sends lines in COPY's text format within the current unit of work; returns their number. */
  async copy(sql: string, lines: readonly string[]): Promise<number> {
    const { client } = this.unitOfWork;
    if (!client) throw new Error('Rows can be copied only within a unit of work');
    const send = async (): Promise<number> => {
      const stream = client.query(from(sql));
      await pipeline(Readable.from([lines.join('')]), stream);
      return stream.rowCount ?? 0;
    };
    return traced({ sql, values: [] }, send);
  }

  private async query<Row extends QueryResultRow>(
    sql: Statement | string,
    values: unknown[],
  ): Promise<QueryResult<Row>> {
    const begun = performance.now();
    try {
      return await traced({ sql, values }, (bound) => this.send<Row>(bound.sql, bound.values));
    } finally {
      this.slow.note(typeof sql === 'string' ? sql : sql.text, performance.now() - begun);
    }
  }

  private send<Row extends QueryResultRow>(sql: Statement | string, values: unknown[]): Promise<QueryResult<Row>> {
    const runner = this.unitOfWork.client ?? this.connections;
    if (typeof sql === 'string') return runner.query<Row>(sql, values);
    return runner.query<Row>(this.address.preparedStatements ? { ...sql, values } : { text: sql.text, values });
  }
}

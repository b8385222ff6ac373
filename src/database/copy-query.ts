import { type Connection, Query } from 'pg';

/** The messages by which COPY's lines are sent, which the types of pg leave out. */
interface CopyingConnection extends Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/**
 * `COPY ... FROM STDIN` that sends its lines at once instead of waiting to be asked for them, which saves a round trip. Where
 * PostgreSQL refuses the statement, it ignores them (Frontend/Backend Protocol, COPY Operations).
 */
export class CopyQuery extends Query {
  /** Calls back with the number of copied lines. */
  constructor(
    private readonly sql: string,
    private readonly lines: Buffer,
    done: (error: Error | undefined, rows: number) => void,
  ) {
    super(sql, (error, result) => done(error ?? undefined, error ? 0 : (result.rowCount ?? 0)));
    this.submit = (connection) => this.send(connection as CopyingConnection);
  }

  /** Called by pg when PostgreSQL asks for the lines, which are on their way. */
  handleCopyInResponse(): void {
    // Nothing is left to do.
  }

  private send(connection: CopyingConnection): null {
    connection.query(this.sql);
    connection.sendCopyFromChunk(this.lines);
    connection.endCopyFrom();
    return null;
  }
}

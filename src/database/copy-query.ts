import { type Connection, Query } from 'pg';
import { CopyMessage } from './copy-message.js';

/** What the types of a connection leave out. */
interface CopyingConnection extends Connection {
  query(text: string): void;
  endCopyFrom(): void;
}

/**
 * `COPY ... FROM STDIN` that sends its lines at once instead of waiting to be asked for them, which saves a round trip. Where
 * PostgreSQL refuses the statement, it ignores them (Frontend/Backend Protocol, COPY Operations).
 */
export class CopyQuery extends Query {
  private readonly message: CopyMessage;

  /** Calls back with the number of copied lines. */
  constructor(
    private readonly sql: string,
    lines: readonly string[],
    done: (error: Error | undefined, rows: number) => void,
  ) {
    super(sql, (error, result) => {
      // After a failure, some of the lines may still be on their way.
      if (!error) this.message.release();
      done(error ?? undefined, error ? 0 : (result.rowCount ?? 0));
    });
    this.message = CopyMessage.of(lines);
    this.submit = (connection) => this.send(connection as CopyingConnection);
  }

  /** Called by pg when PostgreSQL asks for the lines, which are on their way. */
  handleCopyInResponse(): void {
    // Nothing is left to do.
  }

  private send(connection: CopyingConnection): null {
    connection.query(this.sql);
    connection.stream.write(this.message.bytes);
    connection.endCopyFrom();
    return null;
  }
}

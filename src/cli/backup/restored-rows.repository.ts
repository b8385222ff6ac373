import pg from 'pg';

const tables = `
  SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
   WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`;

/** The rows of a restored database, read over a connection of its own. */
export class RestoredRowsRepository {
  constructor(private readonly url: string) {}

  /** Reads every row of every table; rejects for one that cannot be read. */
  async readAll(signal: AbortSignal): Promise<void> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined); // the current statement throws it
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>(tables);
      for (const { name } of rows) {
        signal.throwIfAborted();
        // The text of a row needs all of its values, those that lie outside of its page included.
        await client.query(`SELECT sum(length(one::text)) FROM ${name} AS one`);
      }
    } finally {
      await client.end();
    }
  }
}

import pg from 'pg';

const undefinedTable = '42P01';

/** The migrations of the database at `url`, read over a connection of its own: the service does not run yet. */
export class MigrationsRepository {
  constructor(private readonly url: string) {}

  /** The names of the migrations that ran; none in a new database. */
  async names(): Promise<string[]> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined); // the current statement throws it
    await client.connect();
    try {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
      return rows.map(({ name }) => name);
    } catch (error) {
      if ((error as pg.DatabaseError).code === undefinedTable) return [];
      throw error;
    } finally {
      await client.end();
    }
  }
}

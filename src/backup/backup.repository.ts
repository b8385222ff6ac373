import pg from 'pg';

const undefinedTable = '42P01';

/** The names of the migrations that a database has seen; none where it is new. */
export async function migrationsAt(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the statement under way throws it
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

import type { QueryRunner } from 'typeorm';

interface Partition {
  name: string;
  /** Whether its own index is there and whole. */
  isBuilt: boolean;
}

/** The next partition of $1 whose own index, named after it, is not yet part of the index $2. */
const without = `
  SELECT c.relname AS name,
         EXISTS (SELECT FROM pg_index x JOIN pg_class o ON o.oid = x.indexrelid
                  WHERE x.indrelid = c.oid AND x.indisvalid AND o.relname = replace($2, $1, c.relname)) AS "isBuilt"
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
   WHERE i.inhparent = $1::regclass AND NOT EXISTS (
           SELECT FROM pg_inherits a JOIN pg_index x ON x.indexrelid = a.inhrelid
            WHERE a.inhparent = $2::regclass AND x.indrelid = c.oid)
   ORDER BY c.relname LIMIT 1`;

/**
 * Adds an index while the table is read and written, in place of one whose build was interrupted; `which` are its rows, as
 * `WHERE …`, where they are not all, and `method`, as `USING …`, where it is no B-tree.
 */
export async function indexMeanwhile(
  runner: QueryRunner,
  table: string,
  name: string,
  columns: string,
  which = '',
  method = '',
): Promise<void> {
  // It holds up nobody while it waits for transactions to end.
  await runner.query(`SET lock_timeout = 0`);
  await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${table} ${method} (${columns}) ${which}`);
  await runner.query(`RESET lock_timeout`);
}

/**
 * Adds an index to a table of months whose rows are many, while they are read and written: that of each partition on its
 * own, CONCURRENTLY, then as a part of the whole. `name` begins with that of the table. Begun again, it goes on where it
 * was interrupted. Only in a migration that is no transaction.
 */
export async function indexByPartition(
  runner: QueryRunner,
  table: string,
  name: string,
  columns: string,
): Promise<void> {
  await runner.query(`CREATE INDEX IF NOT EXISTS ${name} ON ONLY ${table} (${columns})`);
  for (;;) {
    const [partition] = (await runner.query(without, [table, name])) as Partition[];
    if (!partition) return;
    const own = name.replace(table, partition.name);
    if (!partition.isBuilt) await indexMeanwhile(runner, partition.name, own, columns);
    await runner.query(`ALTER INDEX ${name} ATTACH PARTITION ${own}`);
  }
}

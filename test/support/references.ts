import type { TestDatabase } from './test-database.js';

/** A column whose values are ids of rows of another table. */
export interface Reference {
  table: string;
  column: string;
  to: string;
}

/** The references that triggers enforce for whole statements, if there is no foreign key. */
export function referencesByStatement(database: TestDatabase): Promise<Reference[]> {
  return database.rows<Reference & Record<string, unknown>>(
    `SELECT DISTINCT t.tgrelid::regclass::text AS table, p.to, left(p.to, -1) || '_id' AS column
       FROM pg_trigger t
       JOIN (SELECT oid, substr(proname, 10) AS to FROM pg_proc WHERE proname LIKE 'refer\\_to\\_%') AS p ON p.oid = t.tgfoid
      ORDER BY 1, 2`,
  );
}

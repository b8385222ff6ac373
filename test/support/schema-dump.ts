import type { TestDatabase } from './test-database.js';

const columnsSql = `
  SELECT c.relname AS "table",
         a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
           || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
           || CASE a.attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' ELSE '' END
           || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') AS line
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migrations'
   ORDER BY c.relname, a.attnum`;

// PostgreSQL 18 lists NOT NULL as constraints too; the columns already say it.
const constraintsSql = `
  SELECT conrelid::regclass::text AS "table", 'CONSTRAINT ' || conname || ' ' || pg_get_constraintdef(oid) AS line
    FROM pg_constraint
   WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conrelid::regclass::text <> 'migrations'
   ORDER BY conrelid::regclass::text, conname`;

const indexesSql = `
  SELECT indexdef AS line FROM pg_indexes
   WHERE schemaname = 'public' AND tablename <> 'migrations'
     AND indexname NOT IN (SELECT conname FROM pg_constraint)
   ORDER BY tablename, indexname`;

const collationsSql = `
  SELECT format('CREATE COLLATION %I (provider = %s)', collname, collprovider) AS line
    FROM pg_collation WHERE collnamespace = 'public'::regnamespace ORDER BY collname`;

/** Leaves out those of extensions. */
const functionsSql = `
  SELECT pg_get_functiondef(p.oid) AS line FROM pg_proc p
   WHERE p.pronamespace = 'public'::regnamespace
     AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
   ORDER BY p.proname`;

const triggersSql = `
  SELECT pg_get_triggerdef(t.oid) AS line FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
   WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal
   ORDER BY c.relname, t.tgname`;

interface TableLine {
  table: string;
  line: string;
}

/** The schema as text, for people to read and for a test to compare: tables with columns and constraints, then the rest. */
export async function dumpSchema(database: TestDatabase): Promise<string> {
  const tables = new Map<string, string[]>();
  for (const sql of [columnsSql, constraintsSql]) {
    for (const { table, line } of await database.rows<TableLine>(sql)) {
      tables.set(table, [...(tables.get(table) ?? []), line]);
    }
  }
  const creates = [...tables].map(([table, lines]) => `CREATE TABLE ${table} (\n  ${lines.join(',\n  ')}\n);\n`);
  const rest: string[] = [];
  for (const sql of [indexesSql, collationsSql, functionsSql, triggersSql]) {
    const lines = await database.rows<{ line: string }>(sql);
    if (lines.length > 0) rest.push(lines.map(({ line }) => `${line.trimEnd().replaceAll('public.', '')};`).join('\n'));
  }
  return `${[...creates, ...rest].join('\n')}\n`;
}

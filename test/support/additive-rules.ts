/** The statements of an SQL text, each on one line, without comments, string literals and function bodies. */
export function statementsOf(sql: string): string[] {
  const plain = sql
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '');
  return plain.split(';').flatMap((one) => one.replace(/\s+/g, ' ').trim() || []);
}

/** The parts of a statement between commas that stand outside brackets. */
function partsOf(statement: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of statement) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

/** Leaves everything that existed as it was: new objects under names of their own, and settings of the session. */
const apart =
  /^(?:CREATE (?:UNLOGGED )?TABLE|CREATE (?:FUNCTION|SEQUENCE|TYPE|SCHEMA|COLLATION|EXTENSION|VIEW)|SELECT|SET|RESET|SHOW|ANALYZE|COMMENT)\b/;

/** The table that a statement changes. */
const changed: RegExp[] = [
  /^(?:ALTER|DROP) TABLE (?:IF EXISTS )?(?:ONLY )?(\w+)/,
  /^INSERT INTO (\w+)/,
  /^(?:UPDATE|DELETE FROM) (?:ONLY )?(\w+)/,
  /^CREATE (?:UNIQUE )?INDEX .*? ?ON (?:ONLY )?(\w+)/,
  /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER \w+ .*? ON (\w+)/,
];

/** Adds columns that old nodes, which do not fill them, can do without; or only changes how rows are stored. */
function isHarmlessPart(part: string): boolean {
  if (/^(?:ALTER (?:COLUMN )?\w+ SET (?:STATISTICS|STORAGE|COMPRESSION)\b|SET \()/.test(part)) return true;
  const column =
    /^ADD (?:COLUMN )?(?:IF NOT EXISTS )?(?!CONSTRAINT\b|CHECK\b|FOREIGN\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b)(\w+) /.exec(
      part,
    )?.[1];
  if (column === undefined || /\b(?:UNIQUE|PRIMARY KEY|GENERATED|SERIAL|BIGSERIAL)\b/i.test(part)) return false;
  const [hasDefault, ofClock] = [/\bDEFAULT\b/.test(part), /\bDEFAULT (?:now\(\)|[^( ]+(?! ?\())(?: |$)/.test(part)];
  if (hasDefault && !ofClock) return false; // each row would be rewritten
  if (/\bNOT NULL\b/.test(part.replace(/\bCHECK \(.*\)/, '')) && !hasDefault) return false;
  // Rows are deleted by old nodes, which do not know the table.
  if (/\bREFERENCES\b/.test(part) && !/\bON DELETE (?:CASCADE|SET NULL)\b/.test(part)) return false;
  // It checks only the column's own value, which is null where old nodes write.
  return !/\bCHECK\b/.test(part) || new RegExp(`\\bCHECK \\(\\(?${column} (?:IN|=) `).test(part);
}

function isHarmless(statement: string, own: ReadonlySet<string>): boolean {
  if (apart.test(statement)) return true;
  if (/^WITH\b/.test(statement) && !/\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/.test(statement)) return true;
  const table = changed.map((pattern) => pattern.exec(statement)?.[1]).find((name) => name !== undefined);
  if (table !== undefined && own.has(table)) return true;
  if (/^ALTER TABLE\b/.test(statement)) {
    const changes = statement.replace(/^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?\w+ /, '');
    return partsOf(changes).every(isHarmlessPart);
  }
  // Others can still write meanwhile, and none of their writes is refused.
  if (/^CREATE INDEX (?:CONCURRENTLY )?(?:IF NOT EXISTS )?\w+ ON ONLY\b|^CREATE INDEX CONCURRENTLY\b/.test(statement))
    return true;
  if (/^ALTER INDEX \w+ ATTACH PARTITION\b/.test(statement)) return true;
  const index = /^DROP INDEX CONCURRENTLY IF EXISTS (\w+)$/.exec(statement)?.[1];
  return index !== undefined && own.has(index);
}

/**
 * The statements of a migration that nodes of the previous release might notice: all that have none of the forms above.
 * Tables that the migration itself creates are not in use yet, nor are their indexes.
 */
export function noticeable(texts: string[]): string[] {
  const statements = texts.flatMap(statementsOf);
  const made = /^CREATE (?:UNLOGGED TABLE|TABLE|INDEX CONCURRENTLY|INDEX) (?:IF NOT EXISTS )?(\w+)/;
  const own = new Set(statements.flatMap((one) => made.exec(one)?.[1] ?? []));
  return statements.filter((one) => !isHarmless(one, own));
}

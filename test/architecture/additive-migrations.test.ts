import { describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { wayTo } from '../../src/connections/failover/database-way.js';

/** What old nodes could not bear, by a name, as a pattern of a whole statement. */
const unbearable: [name: string, pattern: RegExp][] = [
  ['drops a table, a view or a schema', /^DROP (?:TABLE|VIEW|MATERIALIZED VIEW|SCHEMA|TYPE|SEQUENCE)\b/],
  ['renames', /^ALTER (?:TABLE|VIEW|SEQUENCE|TYPE|INDEX)\b.* RENAME\b/],
  [
    'drops a column',
    /^ALTER TABLE\b.* DROP (?:COLUMN\b|(?!CONSTRAINT\b|DEFAULT\b|NOT NULL\b|EXPRESSION\b|IDENTITY\b)\w)/,
  ],
  ['changes a type', /^ALTER TABLE\b.* ALTER (?:COLUMN )?"?\w+"? (?:SET DATA )?TYPE\b/],
  ['demands what was optional', /^ALTER TABLE\b.* ALTER (?:COLUMN )?"?\w+"? SET NOT NULL\b/],
  ['takes a default away', /^ALTER TABLE\b.* ALTER (?:COLUMN )?"?\w+"? DROP DEFAULT\b/],
];

/** Statements of SQL text, each on one line, without comments and the bodies of functions. */
function statementsOf(sql: string): string[] {
  const plain = sql
    .replace(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/'(?:[^']|'')*'/g, "''");
  return plain.split(';').flatMap((one) => one.replace(/\s+/g, ' ').trim() || []);
}

/** The parts of a statement that commas divide, outside of brackets. */
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

/** A column that must have a value, and has none of itself: an INSERT that does not name it fails. */
function addsDemand(statement: string): boolean {
  if (!statement.startsWith('ALTER TABLE')) return false;
  return partsOf(statement).some(
    (part) =>
      /\bADD (?:COLUMN )?(?!CONSTRAINT\b|CHECK\b|FOREIGN\b|UNIQUE\b|PRIMARY\b|EXCLUDE\b)/.test(part) &&
      /\bNOT NULL\b|\bPRIMARY KEY\b/.test(part) &&
      !/\bDEFAULT\b|\bGENERATED\b|\bserial\b/.test(part),
  );
}

/** The faults of a migration's statements. Tables that it made itself are nobody else's yet. */
function faultsOf(texts: string[]): string[] {
  const statements = texts.flatMap(statementsOf);
  const own = new Set(
    statements.flatMap((one) => /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?"?(\w+)/.exec(one)?.[1] ?? []),
  );
  const ofOthers = statements.filter((one) => {
    const table = /^(?:ALTER|DROP) TABLE (?:IF EXISTS )?(?:ONLY )?"?(\w+)/.exec(one)?.[1];
    return table === undefined || !own.has(table);
  });
  return ofOthers.flatMap((one) => [
    ...unbearable.flatMap(([name, pattern]) => (pattern.test(one) ? `${name}: ${one.slice(0, 90)}` : [])),
    ...(addsDemand(one) ? [`adds a column that old nodes do not fill: ${one.slice(0, 90)}`] : []),
  ]);
}

/** The SQL that a migration runs. */
async function sqlOf(migration: MigrationInterface): Promise<string[]> {
  const texts: string[] = [];
  const query = (sql: string): Promise<unknown[]> => {
    texts.push(sql);
    return Promise.resolve([{ server_encoding: 'UTF8' }]); // the one that is asked for
  };
  await migration.up({ query } as unknown as QueryRunner);
  return texts;
}

const { migrations } = dataSourceOptions({
  way: wayTo('postgres://nobody@127.0.0.1/none'),
  poolSize: 1,
  statementTimeoutMs: 0,
});
const classes = migrations as (new () => MigrationInterface)[];

/**
 * During a rolling upgrade nodes of the last release run on the schema of the next one. So a migration may add what they
 * do not know, and may neither take away nor change what they use: that waits for the release after the one that stops
 * using it. docs/scale.md, step 2.
 */
describe('A migration', () => {
  it.each(classes.map((one) => [one.name, one] as const))('leaves what old nodes use: %s', async (_, Migration) => {
    const texts = await sqlOf(new Migration());
    expect(texts.join().length).toBeGreaterThan(20);
    expect(faultsOf(texts)).toEqual([]);
  });
});

describe('What old nodes could not bear', () => {
  const faults = [
    'DROP TABLE carts',
    'ALTER TABLE carts RENAME TO baskets',
    'ALTER TABLE carts RENAME COLUMN user_id TO owner_id',
    'ALTER TABLE carts\n  ADD COLUMN note text,\n  DROP COLUMN user_id',
    'ALTER TABLE carts DROP user_id',
    'ALTER TABLE carts ALTER COLUMN id TYPE bigint',
    'ALTER TABLE carts ALTER id SET DATA TYPE bigint',
    'ALTER TABLE carts ALTER COLUMN note SET NOT NULL',
    'ALTER TABLE carts ALTER COLUMN note DROP DEFAULT',
    "ALTER TABLE carts ADD COLUMN kind text DEFAULT 'a', ADD COLUMN note text NOT NULL",
    "UPDATE carts SET kind = 'a;b'; ALTER TABLE carts ADD note numeric(10, 2) NOT NULL",
  ];
  it.each(faults)('is found: %s', (sql) => {
    expect(faultsOf([sql])).toHaveLength(1);
  });

  const harmless = [
    "ALTER TABLE carts ADD COLUMN note text NOT NULL DEFAULT 'none'",
    'ALTER TABLE carts ADD COLUMN note text, ADD CONSTRAINT note_check CHECK (note IS NOT NULL)',
    'ALTER TABLE carts DROP CONSTRAINT carts_check, ALTER COLUMN note DROP NOT NULL, ALTER note SET DEFAULT 1',
    'CREATE TABLE wishes (id uuid NOT NULL); ALTER TABLE wishes ADD COLUMN note text NOT NULL',
    "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ SELECT 1; DROP TABLE carts $$; SELECT '; DROP TABLE carts'",
    '-- DROP TABLE carts\nCREATE INDEX carts_idx ON carts (note)',
    'DROP INDEX carts_idx',
  ];
  it.each(harmless)('is not: %s', (sql) => {
    expect(faultsOf([sql])).toEqual([]);
  });
});

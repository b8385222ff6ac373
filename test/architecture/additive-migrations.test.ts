import { describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source-options.js';
import { allowances } from '../support/additive-allowances.js';
import { noticeable } from '../support/additive-rules.js';

/** The SQL that a migration runs. Each query returns one row. */
async function sqlOf(migration: MigrationInterface): Promise<string[]> {
  const texts: string[] = [];
  const query = (sql: string): Promise<unknown[]> => {
    texts.push(sql);
    return Promise.resolve([{ server_encoding: 'UTF8', schema: 'public' }]);
  };
  await migration.up({ query } as unknown as QueryRunner);
  return texts;
}

/** The statements of a migration that old nodes might notice and nobody has allowed, and what is allowed in vain. */
async function faultsOf(Migration: new () => MigrationInterface, allowed: string[]): Promise<string[]> {
  const found = noticeable(await sqlOf(new Migration()));
  const unknown = found.filter((one) => !allowed.some((begin) => one.startsWith(begin)));
  const vain = allowed.filter((begin) => !found.some((one) => one.startsWith(begin)));
  return [...unknown, ...vain.map((begin) => `allowed in vain: ${begin}`)];
}

const { migrations } = dataSourceOptions({
  url: 'postgres://nobody@127.0.0.1/none',
  poolSize: 1,
  statementTimeoutMs: 0,
});
const classes = migrations as (new () => MigrationInterface)[];

/** A migration as a later release may have one, and a statement that it must not have. */
class Later implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE carts ADD COLUMN note text');
    await runner.query('ALTER TABLE carts DROP COLUMN updated_at');
  }

  down = (): Promise<void> => Promise.resolve();
}

/**
 * During a rolling upgrade nodes of the last release run on the schema of the next one. So each statement of a migration
 * is one of the few forms that they cannot notice (`support/additive-rules.ts`), or is allowed by name, with the reason
 * (`support/additive-allowances.ts`). docs/scale.md, step 2.
 */
describe('A migration', () => {
  it.each(classes.map((one) => [one.name, one] as const))('leaves what old nodes use: %s', async (_, Migration) => {
    expect((await sqlOf(new Migration())).join().length).toBeGreaterThan(20);
    const allowed = (allowances[Migration.name] ?? []).map(([statement]) => statement);
    expect(await faultsOf(Migration, allowed)).toEqual([]);
  });

  it('is found where it takes something away, unless that is allowed', async () => {
    const dropping = 'ALTER TABLE carts DROP COLUMN updated_at';
    expect(await faultsOf(Later, [])).toEqual([dropping]);
    expect(await faultsOf(Later, [dropping])).toEqual([]);
    expect(await faultsOf(Later, [dropping, 'DROP TABLE carts'])).toEqual(['allowed in vain: DROP TABLE carts']);
  });
});

describe('What old nodes could notice', () => {
  const faults = [
    'DROP TABLE carts',
    'ALTER TABLE carts RENAME TO baskets',
    'ALTER TABLE carts RENAME COLUMN user_id TO owner_id',
    'ALTER TABLE carts\n  ADD COLUMN note text,\n  DROP COLUMN user_id',
    'ALTER TABLE carts DROP user_id',
    'ALTER TABLE carts ALTER COLUMN id TYPE bigint',
    'ALTER TABLE carts ALTER COLUMN note SET NOT NULL',
    'ALTER TABLE carts ALTER COLUMN note DROP NOT NULL',
    'ALTER TABLE carts ALTER COLUMN note DROP DEFAULT',
    'ALTER TABLE carts ALTER note SET DEFAULT 1',
    "ALTER TABLE carts ADD COLUMN kind text DEFAULT 'a', ADD COLUMN note text NOT NULL",
    'ALTER TABLE carts ADD note numeric(10, 2) NOT NULL',
    'ALTER TABLE carts ADD COLUMN note text, ADD CONSTRAINT note_check CHECK (note IS NOT NULL)',
    'ALTER TABLE carts ADD COLUMN note text CHECK (note IS NOT NULL)',
    "ALTER TABLE carts ADD COLUMN note text CHECK (kind IN ('a'))",
    'ALTER TABLE carts ADD COLUMN note uuid DEFAULT gen_random_uuid()',
    'ALTER TABLE carts ADD COLUMN note uuid UNIQUE',
    'ALTER TABLE carts ADD COLUMN note uuid REFERENCES notes (id)',
    'ALTER TABLE carts ADD CHECK (price > 0)',
    'ALTER TABLE carts ADD CONSTRAINT carts_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE',
    'ALTER TABLE carts ADD CONSTRAINT carts_key UNIQUE (user_id)',
    'ALTER TABLE carts DROP CONSTRAINT carts_check',
    'ALTER TABLE carts ENABLE ROW LEVEL SECURITY',
    'CREATE UNIQUE INDEX carts_key ON carts (user_id)',
    'CREATE UNIQUE INDEX CONCURRENTLY carts_key ON carts (user_id)',
    'CREATE INDEX carts_idx ON carts (note)',
    'DROP INDEX carts_idx',
    'DROP INDEX CONCURRENTLY IF EXISTS carts_idx',
    'DROP FUNCTION append_events',
    'DROP TRIGGER carts_changed ON carts',
    'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ SELECT 1 $$',
    'CREATE TRIGGER carts_changed AFTER INSERT ON carts FOR EACH ROW EXECUTE FUNCTION f()',
    'CREATE RULE carts_rule AS ON INSERT TO carts DO INSTEAD NOTHING',
    "UPDATE carts SET kind = 'a;b'",
    'DELETE FROM carts',
    'TRUNCATE carts',
    'WITH old AS (DELETE FROM carts RETURNING id) SELECT count(*) FROM old',
    'LOCK TABLE carts',
    'DO $$ BEGIN DROP TABLE carts; END $$',
    'REVOKE SELECT ON carts FROM store',
  ];
  it.each(faults)('is found: %s', (sql) => {
    expect(noticeable([sql])).toHaveLength(1);
  });

  const harmless = [
    "ALTER TABLE carts ADD COLUMN note text NOT NULL DEFAULT 'none'",
    'ALTER TABLE carts ADD COLUMN added_at timestamptz NOT NULL DEFAULT now(), ADD COLUMN IF NOT EXISTS note text',
    "ALTER TABLE carts ADD COLUMN kind text CHECK (kind IN ('a', 'b')), ADD note uuid REFERENCES notes ON DELETE SET NULL",
    'CREATE TABLE wishes (id uuid NOT NULL); ALTER TABLE wishes ADD COLUMN note text NOT NULL; CREATE UNIQUE INDEX k ON wishes (id)',
    "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$ SELECT 1; DROP TABLE carts $$; SELECT '; DROP TABLE carts'",
    '-- DROP TABLE carts\nCREATE INDEX CONCURRENTLY carts_idx ON carts (note)',
    'DROP INDEX CONCURRENTLY IF EXISTS carts_idx; CREATE INDEX CONCURRENTLY carts_idx ON carts (note)',
    'CREATE INDEX IF NOT EXISTS carts_idx ON ONLY carts (note); ALTER INDEX carts_idx ATTACH PARTITION carts_1_idx',
  ];
  it.each(harmless)('is not: %s', (sql) => {
    expect(noticeable([sql])).toEqual([]);
  });
});

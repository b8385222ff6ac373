import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/database/data-source-options.js';
import { migrate } from '../../../src/database/migrate.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { until } from '../../support/receiver.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

/** The last migration of the release before events got numbers. */
const before = 1_700_000_023_000;
const runs = 1_203;
const organization = randomUUID();
const months = ['2031_01', '2031_02'];

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = new DataSource(dataSourceOptions({ url: database.url, poolSize: 2, statementTimeoutMs: 0 }));
  await dataSource.initialize();
  await undoUntil(before);
  await fill();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

async function newest(): Promise<number> {
  const [row] = await database.rows<{ timestamp: string }>('SELECT max(timestamp) AS timestamp FROM migrations');
  return Number(row?.timestamp);
}

async function undoUntil(timestamp: number): Promise<void> {
  while ((await newest()) > timestamp) await dataSource.undoLastMigration();
}

/** What old nodes send for an event. */
const append = `
  INSERT INTO scan_events (organization_id, scan_id, profile_id, id, created_at, level, stage, title, description,
                           asset_ids, issue_ids, attachments, attachment_types, attachment_text)
  SELECT $1, $1, $1, gen_random_uuid(), day::timestamptz, 'INFO', 'x', 'x', '', '{}', '{}', '[]', '{}', ''
    FROM unnest('{2031-01-15,2031-02-15}'::text[]) AS day`;

async function fill(): Promise<void> {
  for (const [at, month] of months.entries()) {
    await database.rows(`CREATE TABLE scan_events_${month} PARTITION OF scan_events
                         FOR VALUES FROM ('2031-0${at + 1}-01 00:00Z') TO ('2031-0${at + 2}-01 00:00Z')`);
  }
  await database.rows('INSERT INTO organizations (id, name) VALUES ($1, $2)', [organization, 'Big']);
  await database.rows(append, [organization]);
  await database.rows(
    `WITH runs AS (
       INSERT INTO workflow_runs (id, organization_id, trigger_type, status)
       SELECT gen_random_uuid(), $1, 'SCAN_COMPLETED', 'SENT' FROM generate_series(1, $2::int) RETURNING id)
     INSERT INTO workflow_run_payloads (run_id, root, number, sealed) SELECT id, 'scan', 1, '' FROM runs`,
    [organization, runs],
  );
}

/** The indexes of events by scan and by profile, with whether they are complete, and the number of months they cover. */
function indexes(): Promise<{ name: string; isWhole: boolean; months: number }[]> {
  return database.rows(
    `SELECT c.relname AS name, x.indisvalid AS "isWhole",
            (SELECT count(*)::int FROM pg_inherits WHERE inhparent = c.oid) AS months
       FROM pg_index x JOIN pg_class c ON c.oid = x.indexrelid
      WHERE x.indrelid = 'scan_events'::regclass AND c.relname ~ '_(profile|scan)_idx$' ORDER BY 1`,
  );
}

const building = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^CREATE INDEX CONC'
                     AND wait_event_type = 'Lock'`;
const former = ['scan_events_profile_idx', 'scan_events_scan_idx'];
const added = ['scan_events_of_profile_idx', 'scan_events_of_scan_idx'];
const whole = (names: string[]) => names.map((name) => ({ name, isWhole: true, months: months.length }));

describe('An upgrade of a database with many events', () => {
  it('lets nodes append and read while it waits for appends under way, and keeps the indexes that they list by', async () => {
    const appending = await HeldTransaction.open(database, append, [organization]);
    const migrating = migrate(database.url);
    await appending.blocks(1);
    await database.rows(append, [organization]);
    expect(await database.rows('SELECT FROM scan_events')).toHaveLength(2 * months.length);
    await appending.commit();
    await migrating;
    expect(await indexes()).toEqual(whole([...added, ...former].toSorted()));
    expect(await database.rows('SELECT FROM workflow_run_payloads WHERE organization_id IS NULL')).toEqual([]);
  });

  it('builds indexes while nodes append, and resumes where it was interrupted', async () => {
    await undoUntil(1_700_000_025_100);
    const toMonth = append.replace('scan_events', 'scan_events_2031_01').replace(',2031-02-15', '');
    const appending = await HeldTransaction.open(database, toMonth, [organization]);
    const cut = migrate(database.url).catch((error: unknown) => error);
    await until(async () => (await database.rows(building)).length > 0, 'an index that is being built');
    await database.rows(append, [organization]);
    await database.rows(`SELECT pg_terminate_backend(pid) FROM (${building}) AS building`);
    expect(await cut).toBeInstanceOf(Error);
    await appending.commit();
    expect((await indexes()).filter(({ isWhole }) => !isWhole)).not.toEqual([]);
    await migrate(database.url);
    expect(await indexes()).toEqual(whole([...added, ...former].toSorted()));
  });

  it('leaves nothing of the old release if there are no events', async () => {
    await undoUntil(1_700_000_025_100);
    await database.rows('TRUNCATE scan_events');
    await migrate(database.url);
    expect(await indexes()).toEqual(whole(added));
  });
});

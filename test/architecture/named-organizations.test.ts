import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFunctions } from '../../src/database/distribution/append-functions.statements.js';
import { withoutOrganization } from '../support/named-organizations.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

/** `expectOrganizations` checks every statement of the service in all tests of the API like this. */
describe('A statement on a table that Citus distributes', () => {
  it.each([
    'SELECT title FROM scan_events WHERE organization_id = $1 AND id = $2',
    'SELECT e.title FROM scan_events AS e WHERE e.organization_id = $1',
    'SELECT * FROM (SELECT * FROM unnest($2) AS id) AS lead CROSS JOIN LATERAL (SELECT * FROM scan_events e WHERE e.organization_id = $1 AND e.scan_id = lead.id LIMIT 1) AS e',
    'INSERT INTO workflow_run_payloads("run_id", "organization_id", "root") VALUES ($1, $2, $3)',
    'DELETE FROM "workflow_run_payloads" WHERE "organization_id" IN ($1, $2)',
    'UPDATE event_batches b SET number = 1 FROM given g WHERE b.organization_id = g.organization_id',
    'COPY scan_events (id, organization_id) FROM STDIN',
    `SELECT 'scan_events' AS name, scan_events.id FROM scan_events WHERE scan_events.organization_id = $1`,
    'DELETE FROM scan_event_counts -- of all organizations\n WHERE hour < $1',
    'CREATE TABLE scan_events_2026_10 (LIKE scan_events INCLUDING DEFAULTS)',
    'TRUNCATE scans, scan_events',
    'SELECT id FROM scans WHERE id = $1',
  ])('names the organization: %s', (sql) => {
    expect(withoutOrganization(sql)).toEqual([]);
  });

  it.each([
    ['SELECT title FROM scan_events WHERE id = $1', 'scan_events'],
    ['SELECT * FROM scans s JOIN scan_events e ON e.scan_id = s.id WHERE s.organization_id = $1', 'scan_events'],
    [
      'SELECT * FROM (SELECT * FROM scan_events e WHERE e.scan_id = $2) AS e WHERE e.organization_id = $1',
      'scan_events',
    ],
    ['SELECT * FROM scans, event_batches b WHERE scans.organization_id = $1', 'event_batches'],
    ['DELETE FROM workflow_run_payloads WHERE run_id = $1', 'workflow_run_payloads'],
    ['INSERT INTO scan_events (id, title) SELECT $1, $2', 'scan_events'],
    ['UPDATE event_positions SET last = $1', 'event_positions'],
  ])('is found when it does not: %s', (sql, table) => {
    expect(withoutOrganization(sql)).toEqual([table]);
  });
});

describe('The functions of the database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  /** The statements in function bodies that name no organization, by function. */
  async function found(): Promise<string[]> {
    const functions = await database.rows<{ name: string; body: string }>(
      `SELECT p.proname AS name, p.prosrc AS body FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
        WHERE p.pronamespace = 'public'::regnamespace AND l.lanname IN ('plpgsql', 'sql')
          AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
    );
    expect(functions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['append_events', 'count_added_events', 'number_event_batches']),
    );
    return functions.flatMap(({ name, body }) =>
      body.split(';').flatMap((one) => withoutOrganization(one).map((table) => `${name}: ${table}`)),
    );
  }

  it('name the organization, on one server', async () => {
    expect(await found()).toEqual([]);
  });

  it('name the organization after npm run distribute has replaced them', async () => {
    await database.rows(appendFunctions);
    expect(await found()).toEqual([]);
  });

  it('are found when they do not', async () => {
    await database.rows(`
      CREATE FUNCTION forget_batches() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM event_positions WHERE organization_id = gen_random_uuid();
        DELETE FROM event_batches WHERE number < 5;
      END $$`);
    expect(await found()).toEqual(['forget_batches: event_batches']);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { timeOfUuidV7 } from '../../../../../src/common/crypto/uuid-v7.js';
import { loadDemoData, type Sql } from '../../../../../src/database/demo/demo-loader.js';
import { receiverUrl } from '../../../../../src/database/demo/scanning/company.js';
import { loadScanningDemo, type ScanningSummary } from '../../../../../src/database/demo/scanning/scanning-loader.js';
import { eventTimes } from '../../../../../src/database/demo/scanning/scans.js';
import { scanningDoor } from '../../../../support/scanning-door.js';
import { createTestDatabase, type TestDatabase } from '../../../../support/test-database.js';

const now = new Date('2026-03-01T12:34:56.789Z');
const keep = (name: string): Promise<string> => Promise.resolve(`/uploads/${name}`);

interface Loaded {
  summary: ScanningSummary;
  statements: number;
  tookMs: number;
}

/** Loads the shop and the organization in one transaction, as the service does. */
async function load(database: TestDatabase): Promise<Loaded> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  let statements = 0;
  const sql: Sql = async (statement, parameters) => {
    statements++;
    return (await client.query<Record<string, unknown>>(statement, parameters)).rows;
  };
  const door = scanningDoor(database);
  try {
    await door.openTimes(eventTimes(now));
    await client.query('BEGIN');
    const { userIds } = await loadDemoData(sql, keep, now);
    statements = 0;
    const begin = performance.now();
    const summary = await loadScanningDemo(sql, userIds, door, now);
    const tookMs = performance.now() - begin;
    await client.query('COMMIT');
    return { summary, statements, tookMs };
  } finally {
    await client.end();
  }
}

describe('loadScanningDemo', () => {
  let database: TestDatabase;
  let loaded: Loaded;
  const count = async (sql: string): Promise<number> => (await database.rows(sql)).length;

  beforeAll(async () => {
    database = await createTestDatabase();
    loaded = await load(database);
  });
  afterAll(() => database.drop());

  it('takes no more than twenty statements, and seconds even on a busy machine', () => {
    expect(loaded.statements).toBeLessThanOrEqual(20);
    expect(loaded.tookMs).toBeLessThan(10_000);
  });

  it('answers what it wrote', async () => {
    const [counts] = await database.rows(`
      SELECT (SELECT id FROM organizations) AS "organizationId", (SELECT count(*)::int FROM assets) AS assets,
             (SELECT count(*)::int FROM scans) AS scans, (SELECT count(*)::int FROM issues) AS issues,
             (SELECT count(*)::int FROM scan_events) AS events`);
    expect(loaded.summary).toEqual(counts);
  });

  it('gives events ids that carry their time', async () => {
    const rows = await database.rows<{ id: string; at: Date }>('SELECT id, created_at AS at FROM scan_events');
    expect(rows.filter(({ id, at }) => timeOfUuidV7(id)?.getTime() !== at.getTime())).toEqual([]);
  });

  it('names only what there is in events', async () => {
    expect(
      await count(`
        SELECT FROM scan_events e LEFT JOIN scans s ON s.id = scan_id AND s.application_id = e.profile_id
         WHERE s.id IS NULL
            OR EXISTS (SELECT FROM unnest(asset_ids) AS x(id) LEFT JOIN assets USING (id) WHERE assets.id IS NULL)
            OR EXISTS (SELECT FROM unnest(issue_ids) AS x(id) LEFT JOIN issues USING (id) WHERE issues.id IS NULL)`),
    ).toBe(0);
  });

  it('joins every issue to the scans that found it, of which the newest is its own', async () => {
    expect(
      await count(`
        SELECT FROM issues i WHERE scan_id IS DISTINCT FROM (
          SELECT s.id FROM issue_scans x JOIN scans s ON s.id = x.scan_id WHERE x.issue_id = i.id
           ORDER BY s.created_at DESC LIMIT 1)`),
    ).toBe(0);
  });

  it('makes an issue as old as its first event, and a scan younger than what it scans', async () => {
    expect(
      await count(`
        SELECT FROM issues i WHERE created_at <> (SELECT min(created_at) FROM scan_events WHERE i.id = ANY (issue_ids))`),
    ).toBe(0);
    expect(
      await count(`
        SELECT FROM scan_assets JOIN scans s ON s.id = scan_id JOIN assets a ON a.id = asset_id
         WHERE a.created_at >= s.created_at`),
    ).toBe(0);
  });

  it('ends a scan exactly when its status is final', async () => {
    expect(await count(`SELECT FROM scans WHERE (finished_at IS NULL) <> (status IN ('STARTING', 'RUNNING'))`)).toBe(0);
  });

  it('writes activities whose last move is the status of the issue', async () => {
    expect(
      await count(`
        SELECT FROM issues i WHERE status IS DISTINCT FROM (
          SELECT to_value FROM issue_activities WHERE issue_id = i.id AND kind = 'STATUS'
           ORDER BY created_at DESC, id DESC LIMIT 1)`),
    ).toBe(0);
  });

  it('seals what is secret', async () => {
    const rows = await database.rows<{ sealed: string }>(`
      SELECT parameters_sealed AS sealed FROM integrations UNION ALL SELECT parameters_sealed FROM workflow_actions`);
    expect(rows.length).toBeGreaterThanOrEqual(6);
    for (const { sealed } of rows) {
      expect(sealed).toMatch(/^v1\./);
      expect(sealed).not.toContain(receiverUrl);
    }
  });
});

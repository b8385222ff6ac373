import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assets, demoEvents, issues, receiverUrl, scans } from '@store-service/demo';
import { timeOfUuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { ScanningDemoService } from '../../../src/demo/scanning/scanning-demo.service.js';
import { ShopDemoService } from '../../../src/demo/shop/shop-demo.service.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import type { TestDatabase } from '../../support/test-database.js';

const now = new Date('2026-03-01T12:34:56.789Z');

describe('The demo organization in the database', () => {
  let app: TestApp;
  let database: TestDatabase;
  let organizationId: string;
  let statements: string[];
  const count = async (sql: string): Promise<number> => (await database.rows(sql)).length;

  beforeAll(async () => {
    app = await startTestApp();
    ({ database } = app);
    const scanning = app.nest.get(ScanningDemoService);
    await scanning.prepare(now);
    await app.nest.get(UnitOfWork).run(async () => {
      const userIds = await app.nest.get(ShopDemoService).load(now);
      statements = await statementsOf(async () => {
        organizationId = (await scanning.load(userIds, now)).owner.organizationId;
      });
    });
  });
  afterAll(() => app.close());

  it('takes no more than fifty statements, one for the events of each scan', () => {
    expect(statements.length).toBeLessThanOrEqual(50);
  });

  it('has everything in the demo data', async () => {
    const [counts] = await database.rows(`
      SELECT (SELECT id FROM organizations WHERE name = 'Harbour Outfitters') AS "organizationId", (SELECT count(*)::int FROM assets) AS assets,
             (SELECT count(*)::int FROM scans) AS scans, (SELECT count(*)::int FROM issues) AS issues,
             (SELECT count(*)::int FROM scan_events) AS events`);
    const [ofAssets, ofScans, ofIssues] = [assets.length, scans.length, issues.length];
    const events = demoEvents(now).length;
    expect(counts).toEqual({ organizationId, assets: ofAssets, scans: ofScans, issues: ofIssues, events });
  });

  it('gives events ids that carry their time', async () => {
    const rows = await database.rows<{ id: string; at: Date }>('SELECT id, created_at AS at FROM scan_events');
    expect(rows.filter(({ id, at }) => timeOfUuidV7(id)?.getTime() !== at.getTime())).toEqual([]);
  });

  it('has events that name only existing scans, assets and issues', async () => {
    const idsOf = async (table: string) =>
      new Set((await database.rows<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => id));
    const [knownAssets, knownIssues] = [await idsOf('assets'), await idsOf('issues')];
    const ofScans = await database.rows<{ id: string; profile: string }>(
      'SELECT id, application_id AS profile FROM scans',
    );
    const profiles = new Map(ofScans.map(({ id, profile }) => [id, profile]));
    const events = await database.rows<{ scan: string; profile: string; assets: string[]; issues: string[] }>(
      'SELECT scan_id AS scan, profile_id AS profile, asset_ids AS assets, issue_ids AS issues FROM scan_events',
    );
    expect(events.length).toBeGreaterThan(0);
    expect(events.filter(({ scan, profile }) => profiles.get(scan) !== profile)).toEqual([]);
    expect(events.flatMap((event) => event.assets).filter((id) => !knownAssets.has(id))).toEqual([]);
    expect(events.flatMap((event) => event.issues).filter((id) => !knownIssues.has(id))).toEqual([]);
  });

  it('links every issue to the scans that found it, the newest of which is its own', async () => {
    expect(
      await count(`
        SELECT FROM issues i WHERE scan_id IS DISTINCT FROM (
          SELECT s.id FROM issue_scans x JOIN scans s ON s.id = x.scan_id WHERE x.issue_id = i.id
           ORDER BY s.created_at DESC LIMIT 1)`),
    ).toBe(0);
  });

  it('dates an issue by its first event, and a scan after its assets', async () => {
    expect(
      await count(`
        WITH e AS MATERIALIZED (SELECT created_at, issue_ids FROM scan_events)
        SELECT 1 FROM issues i WHERE created_at <> (SELECT min(e.created_at) FROM e WHERE i.id = ANY (e.issue_ids))`),
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

  it('writes activities that end with the status of the issue', async () => {
    expect(
      await count(`
        SELECT FROM issues i WHERE status IS DISTINCT FROM (
          SELECT to_value FROM issue_activities WHERE issue_id = i.id AND kind = 'STATUS'
           ORDER BY created_at DESC, id DESC LIMIT 1)`),
    ).toBe(0);
  });

  it('seals secrets', async () => {
    const rows = await database.rows<{ sealed: string }>(`
      SELECT parameters_sealed AS sealed FROM integrations UNION ALL SELECT parameters_sealed FROM workflow_actions`);
    expect(rows.length).toBeGreaterThanOrEqual(6);
    for (const { sealed } of rows) {
      expect(sealed).toMatch(/^v1\./);
      expect(sealed).not.toContain(receiverUrl);
    }
  });
});

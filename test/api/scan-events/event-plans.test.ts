import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { leastUuidAt, uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { arrivalsStatement } from '../../../src/scanning/scan-events/event-arrivals.statements.js';
import { EventNumbersService } from '../../../src/scanning/scan-events/event-numbers.service.js';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import type { BoundStatement } from '../../../src/database/database.js';
import type { EventFilters } from '../../../src/scanning/scan-events/event-filters.js';
import { routedPageStatement } from '../../../src/scanning/scan-events/routed-page.statements.js';
import {
  nearPageStatement,
  pageStatement,
  totalStatement,
} from '../../../src/scanning/scan-events/scan-events.statements.js';
import { plannedAnew, readsOf, readsOfPrepared, rowsIn, type TableRead, walksIn } from '../../support/explain.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const events = 40_000;
const slow = 120_000;
const months = [0, 1, 2, 3].map((back) => new Date(Date.UTC(2026, 6 - back, 1)));
const organizationId = uuidV7();
const ids = { scan: uuidV7(), profile: uuidV7(), asset: uuidV7(), rare: uuidV7(), issue: uuidV7(), second: uuidV7() };

/** Evenly spread over four months. Matches are rare, so that a scan of everything would show. */
const fill = `
  INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
                           asset_ids, issue_ids, attachments, attachment_types, attachment_text)
  SELECT gen_random_uuid(), timestamptz '2026-04-02' + n * interval '4 minutes', $1,
         CASE WHEN n % 6000 = 7 THEN $2::uuid ELSE md5((n / 500)::text)::uuid END,
         CASE WHEN n % 6000 = 7 THEN $3::uuid ELSE md5((n / 9000)::text)::uuid END,
         CASE WHEN n % 6000 = 7 THEN 'ERROR' ELSE 'DEBUG' END,
         CASE WHEN n % 6000 = 7 THEN 'AGENT_ACTION' ELSE 'EXECUTION' END,
         'Request ' || n, 'Answer ' || md5(n::text) || CASE WHEN n % 6000 = 7 THEN ' xylophone' ELSE '' END,
         CASE WHEN n % 6000 = 7 THEN ARRAY[$5::uuid] WHEN n % 4000 = 9 THEN ARRAY[$4::uuid, $7::uuid] ELSE ARRAY[$4::uuid] END,
         CASE WHEN n % 6000 = 7 THEN ARRAY[$6::uuid] ELSE '{}' END, '[]',
         CASE WHEN n % 6000 = 7 THEN '{SCREENSHOT}'::text[] ELSE '{}' END, ''
    FROM generate_series(1, ${events}) AS n`;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.nest.get(EventPartitionsService).prepare(months);
  await app.database.rows(fill, [organizationId, ...Object.values(ids)]);
  await app.database.rows(`INSERT INTO organizations (id, name) VALUES ($1, 'Acme')`, [organizationId]);
  await app.database.rows(
    `INSERT INTO profiles (id, organization_id, name, scanner_kind, type) VALUES ($2, $1, 'p', 'BLST_REST', 'REST')`,
    [organizationId, ids.profile],
  );
  await app.database.rows(
    `INSERT INTO scans (id, organization_id, application_id, kind, status) VALUES ($2, $1, $3, 'BLST_REST', 'FINISHED')`,
    [organizationId, ids.scan, ids.profile],
  );
  await app.database.rows('VACUUM ANALYZE scan_events');
}, slow);
afterAll(() => app.close());

const ofEvents = (reads: TableRead[]): TableRead[] =>
  reads.filter((read) => read['Relation Name'].startsWith('scan_events'));

async function readsOfEvents({ sql, values }: BoundStatement): Promise<TableRead[]> {
  return ofEvents(await readsOf(app.database, typeof sql === 'string' ? sql : sql.text, values));
}

/** The queries of a page, one after another. */
function statementsOf(filters: EventFilters): BoundStatement[] {
  const asked = [organizationId, start, 51, filters] as const;
  return [nearPageStatement(...asked) ?? [], pageStatement(...asked)].flat();
}

const start = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

describe('A page of events', () => {
  it.each<[string, EventFilters]>([
    ['nothing', {}],
    ['scan', { scanIds: [ids.scan] }],
    ['scans', { scanIds: [ids.scan, uuidV7()] }],
    ['profile', { profileIds: [ids.profile] }],
    ['asset that is everywhere', { assetIds: [ids.asset] }],
    ['asset that is rare', { assetIds: [ids.rare] }],
    ['asset beside another', { assetIds: [ids.second] }],
    ['assets', { assetIds: [ids.rare, ids.second, ids.asset] }],
    ['asset that is everywhere, and level', { assetIds: [ids.asset], levels: ['DEBUG'] }],
    ['asset that is rare, and level', { assetIds: [ids.rare], levels: ['ERROR'] }],
    ['asset that is nowhere', { assetIds: [uuidV7()] }],
    ['issue', { issueIds: [ids.issue] }],
    ['level', { levels: ['ERROR'] }],
    ['levels', { levels: ['ERROR', 'WARNING'] }],
    ['stage', { stages: ['AGENT_ACTION'] }],
    ['level and stage', { levels: ['ERROR'], stages: ['AGENT_ACTION', 'AGENT_REASONING'] }],
    ['attachments', { hasAttachments: true }],
    ['no attachments', { hasAttachments: false }],
    ['attachment type', { attachments: ['SCREENSHOT'] }],
    ['attachment types', { attachments: ['SCREENSHOT', 'SNIPPET'] }],
    ['text that is everywhere', { search: '%answer%' }],
    ['text that is rare', { search: '%xylophone%' }],
    ['text that is nowhere', { search: '%nowhere at all%' }],
  ])('reads an index, and does not scan everything: %s', async (_, filters) => {
    for (const { sql, values } of statementsOf(filters)) {
      const reads = [await readsOfEvents({ sql, values })];
      if (typeof sql !== 'string') reads.push(ofEvents(await readsOfPrepared(app.database, sql.text, values)));
      expect(reads.flatMap(walksIn)).toEqual([]);
      expect(reads.map(rowsIn).filter((rows) => rows >= 8_000)).toEqual([]);
      const found = await app.database.rows(typeof sql === 'string' ? sql : sql.text, values);
      if (found.length >= 51) return;
    }
  });

  it.each<[string, EventFilters]>([
    ['nothing', {}],
    ['scan', { scanIds: [ids.scan] }],
    ['profile', { profileIds: [ids.profile] }],
    ['asset', { assetIds: [ids.asset] }],
    ['level', { levels: ['ERROR'] }],
    ['text', { search: '%answer%' }],
    ['issue', { issueIds: [ids.issue] }],
  ])('reuses its plan instead of planning every month again: %s', async (_, filters) => {
    const [first] = statementsOf(filters);
    if (!first || typeof first.sql === 'string') throw new Error('This statement has no name');
    expect(await plannedAnew(app.database, first.sql.text, first.values, 20)).toBeLessThanOrEqual(5);
  });
});

describe('A page of events that are on several servers', () => {
  const middle = [new Date(Date.UTC(2026, 5, 3)), leastUuidAt(new Date(Date.UTC(2026, 5, 3)))];

  it.each<[string, EventFilters]>([
    ['nothing', {}],
    ['scan', { scanIds: [ids.scan] }],
    ['profile', { profileIds: [ids.profile] }],
    ['attachments', { hasAttachments: true }],
    ['attachment type', { attachments: ['SCREENSHOT'] }],
  ])('reads no more events than it shows, in the order of an index: %s', async (_, filters) => {
    for (const after of [start, middle]) {
      const page = routedPageStatement(organizationId, after, 51, filters);
      if (!page) throw new Error('There is no such statement');
      const reads = await readsOfEvents(page);
      expect(walksIn(reads)).toEqual([]);
      expect(rowsIn(reads)).toBeLessThanOrEqual(52);
    }
  });
});

describe('A page of the events of an asset', () => {
  it('reads hardly more events than it shows, however many others are newer', async () => {
    for (const asset of [ids.asset, ids.rare, ids.second, uuidV7()]) {
      const reads = await readsOfEvents(pageStatement(organizationId, start, 51, { assetIds: [asset] }));
      expect(rowsIn(reads)).toBeLessThan(200);
    }
  });
});

describe('A span of events', () => {
  const end = [new Date(Date.UTC(2026, 4, 3)), leastUuidAt(new Date(Date.UTC(2026, 4, 3)))];
  const filters: EventFilters[] = [{}, { scanIds: [ids.scan] }, { profileIds: [ids.profile] }, { levels: ['ERROR'] }];

  it.each(filters)('reads no more than its own events of %j', async (asked) => {
    const since = new Date(Date.UTC(2026, 4, 2));
    const reads = await readsOfEvents(pageStatement(organizationId, end, 101, { ...asked, since }));
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBeLessThanOrEqual(360);
  });

  it('is counted by an index', async () => {
    const since = new Date(Date.UTC(2026, 4, 2));
    const reads = await readsOfEvents(totalStatement(organizationId, end, { since }));
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBeGreaterThan(300);
    expect(rowsIn(reads)).toBeLessThanOrEqual(360);
  });
});

describe('Arrivals', () => {
  it.each<[string, EventFilters]>([
    ['all', {}],
    ['a level', { levels: ['ERROR'] }],
    ['a text', { search: '%xylophone%' }],
    ['an asset', { assetIds: [ids.rare] }],
  ])('reads the index of arrivals: %s', async (_, filters) => {
    const numbers = app.nest.get(EventNumbersService);
    const position = await numbers.now(organizationId);
    const reads = await readsOfEvents(arrivalsStatement(organizationId, position, 51, filters));
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBe(0);
  });
});

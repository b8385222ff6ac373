import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { bucketsOf } from '../../../src/platform/http/time-buckets.js';
import type { EventFilters } from '../../../src/scanning/scan-events/event-filters.js';
import type { EventHistogram } from '../../../src/scanning/scan-events/event-histogram.dto.js';
import { EventPartitionsService } from '../../../src/scanning/scan-events/event-partitions.service.js';
import { histogramStatement } from '../../../src/scanning/scan-events/scan-events.statements.js';
import { scansOf } from '../../support/explain.js';
import { insertOrganization } from '../../support/organizations.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { Scanning } from '../../support/scanning.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let things: ScanningRows;
beforeAll(async () => {
  app = await startTestApp();
  await app.nest
    .get(EventPartitionsService)
    .prepare(['2026-08-01', '2026-09-01', '2026-10-01'].map((month) => new Date(`${month}T00:00:00Z`)));
  acme = new Scanning(app, await insertOrganization(app));
  things = new ScanningRows(app, acme.organization.id);
});
afterAll(() => app.close());

const window = 'from=2026-09-30T22:00:00Z&to=2026-10-01T02:00:00Z';
async function histogram(query: string, token = acme.token): Promise<EventHistogram> {
  const { status, body } = await app.api.get<EventHistogram>(`/api/v1/events/histogram?${query}`, { token });
  expect([status, body]).toEqual([200, expect.any(Object)]);
  return body;
}
const totals = async (query: string) => (await histogram(query)).buckets.map(({ total }) => total);

describe('GET /api/v1/events/histogram', () => {
  it('counts by level and hour across months, including hours without events', async () => {
    const profile = await things.profile();
    const scan = await things.scan(profile);
    const at = (time: string, level: string) =>
      things.event(scan, profile, { created_at: new Date(`2026-${time}Z`), level, id: uuidV7() });
    await at('09-30T21:59:59.999', 'ERROR');
    await at('09-30T22:00:00', 'ERROR');
    await at('09-30T23:59:59.999', 'ERROR');
    await at('10-01T00:00:00', 'DEBUG');
    await at('10-01T00:30:00', 'ERROR');
    await at('10-01T02:00:00', 'ERROR');
    const { interval, from, to, buckets } = await histogram(window);
    expect([interval, from, to]).toEqual(['hour', '2026-09-30T22:00:00.000Z', '2026-10-01T02:00:00.000Z']);
    const none = { ERROR: 0, WARNING: 0, INFO: 0, DEBUG: 0 };
    expect(buckets).toEqual([
      { at: '2026-09-30T22:00:00.000Z', total: 1, byLevel: { ...none, ERROR: 1 } },
      { at: '2026-09-30T23:00:00.000Z', total: 1, byLevel: { ...none, ERROR: 1 } },
      { at: '2026-10-01T00:00:00.000Z', total: 2, byLevel: { ...none, ERROR: 1, DEBUG: 1 } },
      { at: '2026-10-01T01:00:00.000Z', total: 0, byLevel: none },
    ]);
    expect(await totals(`interval=day&${window}`)).toEqual([3, 3]);
  });

  it('counts what the filters match', async () => {
    const [profile, asset, issue] = [await things.profile(), uuidV7(), uuidV7()];
    const scan = await things.scan(profile);
    const created_at = new Date('2026-10-01T00:00:00Z');
    await things.event(scan, profile, { created_at, level: 'WARNING', stage: 'AGENT_ACTION', asset_ids: [asset] });
    await things.event(scan, profile, { created_at, issue_ids: [issue], attachment_types: ['SNIPPET'] });
    const here = `${window}&scanIds=${scan}`;
    const inThirdHour = async (query: string) => (await totals(query))[2];
    expect(await inThirdHour(here)).toBe(2);
    expect(await inThirdHour(`${window}&profileIds=${profile}`)).toBe(2);
    for (const one of [
      'levels=WARNING',
      'stages=AGENT_ACTION',
      `assetIds=${asset}`,
      `issueIds=${issue}`,
      'hasAttachments=true',
      'attachments=SNIPPET,SCREENSHOT',
    ]) {
      expect(await inThirdHour(`${here}&${one}`)).toBe(1);
    }
    expect(await inThirdHour(`${window}&scanIds=${uuidV7()}`)).toBe(0);
  });

  it.each(['', '&levels=ERROR', `&scanIds=${uuidV7()}`, '&hasAttachments=true&stages=EXECUTION'])(
    'counts by one statement with %j',
    async (filters) => {
      await histogram(window + filters);
      const statements = await statementsOf(() => histogram(window + filters));
      expect(statements.filter((one) => !one.startsWith('organizations.'))).toHaveLength(1);
    },
  );

  it('counts nothing of another organization', async () => {
    const other = new Scanning(app, await insertOrganization(app));
    const { buckets } = await histogram(window, other.token);
    expect(buckets.map(({ total }) => total)).toEqual([0, 0, 0, 0]);
  });

  it.each([
    'interval=minute',
    'from=2026-10-01T00:00:00Z&to=2026-10-01T00:00:00Z',
    'from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z',
    'interval=day&from=2023-01-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    'levels=LOUD',
  ])('responds with 422 for %s', async (query) => {
    const { status } = await app.api.get(`/api/v1/events/histogram?${query}`, { token: acme.token });
    expect(status).toBe(422);
  });

  it.each<[string, EventFilters]>([
    ['all events', {}],
    ['a scan', { scanIds: [uuidV7()] }],
    ['a profile', { profileIds: [uuidV7()] }],
    ['an asset', { assetIds: [uuidV7()] }],
    ['an issue', { issueIds: [uuidV7()] }],
    ['a level', { levels: ['ERROR'] }],
  ])('reads an index of the months in question only: %s', async (_, filters) => {
    const [filled] = await app.database.rows<{ count: number }>('SELECT count(*)::int AS count FROM scan_events');
    if ((filled?.count ?? 0) < 10_000) {
      await app.database.rows(
        `INSERT INTO scan_events (id, created_at, organization_id, scan_id, profile_id, level, stage, title, description,
                                  asset_ids, issue_ids, attachments, attachment_types, attachment_text)
         SELECT gen_random_uuid(), timestamptz '2026-08-02' + n * interval '3 minutes', $1, md5((n / 500)::text)::uuid,
                md5((n / 9000)::text)::uuid, CASE WHEN n % 5000 = 7 THEN 'ERROR' ELSE 'DEBUG' END, 'EXECUTION', 'Request',
                'Answer', '{}', '{}', '[]', '{}', ''
           FROM generate_series(1, 30000) AS n`,
        [acme.organization.id],
      );
      await app.database.rows('VACUUM ANALYZE scan_events');
    }
    const asked = { from: '2026-09-10T00:00:00Z', to: '2026-09-11T00:00:00Z' };
    const { sql, values } = histogramStatement(acme.organization.id, bucketsOf(asked, 'hour', 100), filters);
    const scans = await scansOf(app.database, typeof sql === 'string' ? sql : sql.text, values);
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.filter((scan) => scan.startsWith('Seq Scan'))).toEqual([]);
    expect(scans.filter((scan) => !scan.includes('scan_events_2026_09'))).toEqual([]);
  });
});

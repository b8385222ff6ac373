import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import type { IssueGroups, IssueMetrics } from '../../../src/scanning/issues/issue-figures.dto.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const day = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * day);

let app: TestApp;
let organization: InsertedOrganization;
let assets: string[];
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  const rows = new ScanningRows(app, organization.id);
  assets = [await rows.asset({ name: 'Shop' }), await rows.asset({ name: 'Office' })];
  const [shop = '', office = ''] = assets;
  const move = (issue: string, at: Date, from: string | null, to: string) =>
    app.database.rows(
      `INSERT INTO issue_activities (id, issue_id, organization_id, kind, from_value, to_value, actor_kind, created_at)
       VALUES ($1, $2, $3, 'STATUS', $4, $5, 'SYSTEM', $6)`,
      [uuidV7(), issue, organization.id, from, to, at],
    );
  const xss = { security_test_uid: 'xss', name: 'Cross-site scripting' };
  await rows.issue(shop, { severity: 'CRITICAL', created_at: ago(100), due_at: ago(1) });
  await rows.issue(shop, { severity: 'LOW', created_at: ago(3), ...xss });
  await rows.issue(office, { severity: 'HIGH', created_at: ago(10), ...xss });
  for (const [found, fixed] of [
    [12, 10],
    [9, 3],
  ] as const) {
    const id = await rows.issue(office, { severity: 'HIGH', status: 'RESOLVED', created_at: ago(found), ...xss });
    await move(id, ago(found), null, 'OPEN');
    await move(id, ago(fixed), 'OPEN', 'RESOLVED');
  }
  // Fixed before, and again: the second fix took a day.
  const again = await rows.issue(shop, { severity: 'LOW', status: 'RESOLVED', created_at: ago(300) });
  await move(again, ago(2), 'RESOLVED', 'OPEN');
  await move(again, ago(1), 'OPEN', 'RESOLVED');
});
afterAll(() => app.close());

async function get<T>(query: string): Promise<T> {
  const { status, body } = await app.api.get<T>(`/api/v1/issues/${query}`, { token: organization.viewer.token });
  expect(status).toBe(200);
  return body;
}

describe('GET /api/v1/issues/groups', () => {
  it('counts by rule, asset and severity, with the filters of the list', async () => {
    const rules = await get<IssueGroups>('groups?by=rule');
    expect(rules).toMatchObject({ groups: 2, total: 6 });
    expect(rules.data[0]).toMatchObject({ key: 'xss', name: 'Cross-site scripting', count: 4, open: 2 });
    expect(rules.data[0]?.bySeverity).toMatchObject({ HIGH: 3, LOW: 1, CRITICAL: 0 });
    const byAsset = await get<IssueGroups>('groups?by=asset&statuses=OPEN');
    expect(byAsset.data.map(({ key, name, count }) => [key, name, count])).toEqual([
      [assets[0], 'Shop', 2],
      [assets[1], 'Office', 1],
    ]);
    const severities = await get<IssueGroups>('groups?by=severity&size=2');
    expect(severities.data.map(({ key }) => key)).toEqual(['CRITICAL', 'HIGH']);
    expect(severities.groups).toBe(3);
    expect(await get('groups?by=rule&tool=none')).toEqual({ data: [], groups: 0, total: 0 });
  });
});

describe('GET /api/v1/issues/metrics', () => {
  it('tells how long fixes took, what is overdue, and how old is what is open', async () => {
    const { timeToFix, waiting } = await get<IssueMetrics>('metrics');
    const high = timeToFix.find(({ severity }) => severity === 'HIGH');
    expect(high).toMatchObject({ fixed: 2, medianDays: expect.closeTo(4, 2), ninetiethDays: expect.closeTo(5.6, 2) });
    expect(timeToFix.find(({ severity }) => severity === 'LOW')).toMatchObject({
      fixed: 1,
      medianDays: expect.closeTo(1, 2),
    });
    expect(timeToFix.find(({ severity }) => severity === 'INFO')).toMatchObject({ fixed: 0, medianDays: null });
    const row = (severity: string) => waiting.find((one) => one.severity === severity);
    expect(row('CRITICAL')).toMatchObject({ open: 1, overdue: 1, older: 1, upTo7Days: 0 });
    expect(row('LOW')).toMatchObject({ open: 1, overdue: 0, upTo7Days: 1 });
    expect(row('HIGH')).toMatchObject({ open: 1, upTo30Days: 1 });
  });

  it('counts what was opened and closed by week, with the filters of the list', async () => {
    const { weeks } = await get<IssueMetrics>('metrics?weeks=4');
    expect(weeks).toHaveLength(4);
    expect(weeks.reduce((sum, { opened }) => sum + opened, 0)).toBe(3);
    expect(weeks.reduce((sum, { closed }) => sum + closed, 0)).toBe(3);
    const low = await get<IssueMetrics>('metrics?weeks=4&severities=LOW');
    expect(low.weeks.reduce((sum, { closed }) => sum + closed, 0)).toBe(1);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { issueFigures } from '../../../src/scanning/issues/issue-summary.repository.js';
import type { IssuesSummary } from '../../../src/scanning/issues/issue-summary.dto.js';
import { issueCategories, issueSeverities, issueStatuses } from '../../../src/scanning/vocabulary.js';
import { scansOf } from '../../support/explain.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: Scanning;
let issues: IssueCalls;
beforeAll(async () => {
  app = await startTestApp();
  acme = new Scanning(app, await insertOrganization(app));
  issues = new IssueCalls(app, acme.token);
});
afterAll(() => app.close());

async function summary(query = '', token = acme.token): Promise<IssuesSummary> {
  const { status, body } = await app.api.get<IssuesSummary>(`/api/v1/issues/summary?${query}`, { token });
  expect([status, body]).toEqual([200, expect.any(Object)]);
  return body;
}
const zeros = (values: readonly string[]) => Object.fromEntries(values.map((value) => [value, 0]));

describe('GET /api/v1/issues/summary', () => {
  it('returns thirty days of zeros for an organization without issues', async () => {
    const { token } = new Scanning(app, await insertOrganization(app));
    const { days, ...figures } = await summary('', token);
    expect(figures).toMatchObject({
      total: 0,
      bySeverity: zeros(issueSeverities),
      openBySeverity: zeros(issueSeverities),
      byStatus: zeros(issueStatuses),
      byCategory: zeros(issueCategories),
    });
    expect(days).toHaveLength(30);
    const none = { created: 0, resolved: 0, open: zeros(issueSeverities) };
    expect(days).toEqual(days.map(({ at }) => ({ at, ...none })));
  });

  it('counts by one statement', async () => {
    await summary();
    const statements = await statementsOf(() => summary());
    expect(statements.filter((one) => !one.startsWith('organizations.'))).toEqual(['issues.figures']);
  });

  it('counts by severity, status and category, and by day', async () => {
    const asset = (await acme.asset()).id;
    const scan = (await acme.scan()).id;
    const made = await issues.appended(
      scan,
      finding(asset, { name: 'a', severity: 'CRITICAL', category: 'SCHEMA' }),
      finding(asset, { name: 'b', severity: 'LOW', category: 'INJECTION' }),
      finding(asset, { name: 'c', severity: 'LOW', category: 'INJECTION' }),
      finding(asset, { name: 'd', severity: 'LOW', category: 'INJECTION', suppressed: true }),
    );
    const [a, b, c] = made.map(({ id }) => id) as [string, string, string];
    await issues.patchMany({ ids: [b, c], status: 'RESOLVED' });
    await issues.append(scan, [finding(asset, { name: 'b', severity: 'LOW', category: 'INJECTION' })]);
    await issues.patch(b, { status: 'RESOLVED' });
    await app.database.rows(`UPDATE issues SET created_at = now() - interval '3 days' WHERE id = $1`, [a]);
    const { days, ...figures } = await summary();
    expect(figures).toMatchObject({
      total: 4,
      bySeverity: { ...zeros(issueSeverities), CRITICAL: 1, LOW: 3 },
      openBySeverity: { ...zeros(issueSeverities), CRITICAL: 1 },
      byStatus: { ...zeros(issueStatuses), OPEN: 1, RESOLVED: 2, IGNORED: 1 },
      byCategory: { ...zeros(issueCategories), SCHEMA: 1, INJECTION: 3 },
    });
    const told = days.filter(({ created, resolved }) => created + resolved > 0);
    expect(told.map(({ created, resolved }) => [created, resolved])).toEqual([
      [1, 0],
      [3, 3],
    ]);
    const stored = await app.database.rows<{ day: Date }>(
      `SELECT DISTINCT date_trunc('day', created_at, 'UTC') AS day FROM issues WHERE asset_id = $1 ORDER BY day`,
      [asset],
    );
    expect(told.map(({ at }) => at)).toEqual(stored.map(({ day }) => day.toISOString()));
  });

  it('counts those open at the end of each day, by their severity at the time', async () => {
    const beta = new Scanning(app, await insertOrganization(app));
    const calls = new IssueCalls(app, beta.token);
    const asset = (await beta.asset()).id;
    const scan = (await beta.scan()).id;
    const ids: string[] = [];
    for (const name of ['resolved', 'lowered', 'returned', 'new']) {
      ids.push(await calls.one(scan, finding(asset, { name, severity: 'HIGH' })));
    }
    const [resolved, lowered, returned, fresh] = ids as [string, string, string, string];
    const daysAgo = async (days: number, ...which: string[]) => {
      // Whatever was not moved into the past happened just now.
      const sql = `UPDATE issue_activities SET created_at = now() - $2 * interval '1 day'
                    WHERE issue_id = ANY($1) AND created_at > now() - interval '1 hour'`;
      await app.database.rows(sql, [which, days]);
    };
    await daysAgo(5, resolved, lowered, returned);
    await daysAgo(0, fresh);
    await calls.patchMany({ ids: [resolved, returned], status: 'RESOLVED' });
    await daysAgo(4, resolved, returned);
    await calls.patch(lowered, { severity: 'LOW', status: 'IGNORED' });
    await daysAgo(3, lowered);
    await calls.patch(lowered, { status: 'OPEN' });
    await calls.append(scan, [finding(asset, { name: 'returned', severity: 'CRITICAL' })]);
    await daysAgo(2, lowered, returned);
    const open = (counts: object) => ({ ...zeros(issueSeverities), ...counts });
    const { days, openBySeverity } = await summary('', beta.token);
    const expected = [
      open({}),
      open({ HIGH: 3 }),
      open({ HIGH: 1 }),
      open({}),
      open({ LOW: 1, CRITICAL: 1 }),
      open({ LOW: 1, CRITICAL: 1 }),
      open({ LOW: 1, CRITICAL: 1, HIGH: 1 }),
    ];
    expect(days.slice(-7).map(({ open: counts }) => counts)).toEqual(expected);
    expect(openBySeverity).toEqual(expected.at(-1));
    // A past period leaves out whatever came after it.
    const past = await summary(`from=${days[25]?.at.toString()}&to=${days[28]?.at.toString()}`, beta.token);
    expect(past.days.map(({ open: counts }) => counts)).toEqual(expected.slice(2, 5));
  });

  it('covers the requested days whole', async () => {
    const { from, to, days, total } = await summary('from=2025-12-30T12:00:00Z&to=2026-01-01T00:00:01Z');
    expect([from, to, total]).toEqual(['2025-12-30T00:00:00.000Z', '2026-01-02T00:00:00.000Z', 4]);
    expect(days.map(({ at }) => at)).toEqual([
      '2025-12-30T00:00:00.000Z',
      '2025-12-31T00:00:00.000Z',
      '2026-01-01T00:00:00.000Z',
    ]);
  });

  it.each([
    'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    'from=2025-01-01T00:00:00Z&to=2026-02-06T00:00:00Z',
    'from=0001-01-01T00:00:00Z',
    'to=0001-01-01T00:00:00Z',
    'from=yesterday',
    'from=2026-01-01',
  ])('responds with 422 or zeros, and never an error, for %s', async (query) => {
    const { status } = await app.api.get(`/api/v1/issues/summary?${query}`, { token: acme.token });
    expect(status).toBe(query === 'to=0001-01-01T00:00:00Z' ? 200 : 422);
  });

  it('reads the changes of the period by an index, and counts by index-only scans', async () => {
    const organizationId = acme.organization.id;
    await app.database.rows(
      `INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                           security_test_uid, identity, created_at)
       SELECT gen_random_uuid(), $1, $2, 'n', 'n', 'HIGH', 'INJECTION', 'OPEN', 'a', 's', 'filled ' || n,
              now() - n * interval '1 hour'
         FROM generate_series(1, 20000) AS n`,
      [organizationId, (await acme.asset()).id],
    );
    await app.database.rows(
      `INSERT INTO issue_activities (id, issue_id, organization_id, kind, from_value, to_value, actor_kind, created_at)
       SELECT gen_random_uuid(), i.id, $1, 'STATUS', 'OPEN', CASE WHEN n % 10 = 0 THEN 'RESOLVED' ELSE 'IGNORED' END,
              'SYSTEM', i.created_at
         FROM issues i, generate_series(1, 2) AS n WHERE i.organization_id = $1`,
      [organizationId],
    );
    await app.database.rows('VACUUM ANALYZE issues, issue_activities');
    const to = new Date();
    const from = new Date(to.getTime() - 30 * 86_400_000);
    const scans = await scansOf(app.database, issueFigures.text, [organizationId, [from], from, to]);
    expect(scans.filter((scan) => scan.startsWith('Seq Scan of issue'))).toEqual([]);
    expect(scans.map((scan) => scan.replace('Bitmap ', ''))).toEqual(
      expect.arrayContaining([
        'Index Scan of issue_activities_changes_idx',
        'Index Only Scan of issues_of_default_counts_idx',
        'Index Only Scan of issues_of_default_newest_idx',
      ]),
    );
  });

  it('is not mistaken for an issue id, and is hidden from strangers', async () => {
    expect((await app.api.get('/api/v1/issues/summary')).status).toBe(401);
    expect((await app.api.get(`/api/v1/issues/${uuidV7()}`, { token: acme.token })).status).toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertOrganization } from '../../support/organizations.js';
import { readsOf, rowsIn, walksIn } from '../../support/explain.js';
import { rateNext } from '../../../src/scanning/issues/issue-threats.repository.js';
import { pages } from '../../../src/scanning/issues/issues.repository.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const count = 20_000;

let app: TestApp;
let organizationId: string;
beforeAll(async () => {
  app = await startTestApp();
  organizationId = (await insertOrganization(app)).id;
  await app.database.rows(
    `WITH asset AS (
       INSERT INTO assets (id, organization_id, name, type, class, uri)
       VALUES (gen_random_uuid(), $1, 'shop', 'CODE_PROJECT', 'CODE_PROJECT', 'asset://code-project/shop') RETURNING id)
     INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                         security_test_uid, identity, created_at, epss, kev)
     SELECT gen_random_uuid(), $1, asset.id, 'n', 'n', 'LOW', 'CUSTOM', 'OPEN', 'a', 't', 'identity' || n,
            now() - n * interval '1 second', CASE WHEN n % 2 = 0 THEN n / ${count}.0 END, n % 1000 = 0
       FROM asset, generate_series(1, ${count}) AS n`,
    [organizationId],
  );
  await app.database.rows(
    `INSERT INTO issue_identifiers (organization_id, issue_id, value)
     SELECT organization_id, id, 'CVE-2026-' || (10000 + row_number() OVER ()) FROM issues`,
  );
  await app.database.rows(`INSERT INTO threat_feeds (kind, generation) VALUES ('EPSS', gen_random_uuid())`);
  await app.database.rows(
    `INSERT INTO epss_scores (generation, cve, epss, percentile)
     SELECT generation, 'CVE-2026-' || (10000 + n), 0.5, 0.5 FROM threat_feeds, generate_series(1, ${count}) AS n`,
  );
  await app.database.rows('ANALYZE');
}, 300_000);
afterAll(() => app.close());

const last = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

describe(`With ${count} issues`, () => {
  it('lists them by EPSS through its index, from any page on', async () => {
    for (const start of [2, 0.5]) {
      const given = { minEpss: 0.25 };
      const { statement, values } = pages.epss.of([organizationId, 51, start, 'infinity', last], given);
      const reads = (await readsOf(app.database, statement.text, values)).filter(
        (read) => read['Relation Name'] === 'issues',
      );
      expect([walksIn(reads), reads.map((read) => read['Index Name'])]).toEqual([[], ['issues_epss_order_idx']]);
      expect(rowsIn(reads)).toBeLessThanOrEqual(60);
    }
  });

  it('lists those that are exploited through their index', async () => {
    const { statement, values } = pages.created.of([organizationId, 51, 'infinity', last], { kev: true });
    const reads = (await readsOf(app.database, statement.text, values)).filter(
      (read) => read['Relation Name'] === 'issues',
    );
    expect([walksIn(reads), rowsIn(reads) <= 60]).toEqual([[], true]);
  });

  it('rates a thousand at a time', async () => {
    const reads = await readsOf(app.database, rateNext.text, ['00000000-0000-0000-0000-000000000000']);
    expect(walksIn(reads)).toEqual([]);
    expect(rowsIn(reads)).toBeLessThan(10_000);
  });
});

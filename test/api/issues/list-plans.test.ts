import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '../../../src/platform/crypto/uuid-v7.js';
import { type IssueSort, issueSorts } from '../../../src/scanning/issues/issue-filter.dto.js';
import { type IssueFilters, isSearch } from '../../../src/scanning/issues/issue-filters.statements.js';
import { startOfIssues } from '../../../src/scanning/issues/issue-sorts.js';
import { pages } from '../../../src/scanning/issues/issues.repository.js';
import { readsOf, rowsIn, walksIn } from '../../support/explain.js';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.js';

const count = 30_000;
const size = 50;
const organizationId = uuidV7();
const assetId = uuidV7();
const assignee = uuidV7();
const branchId = uuidV7();

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.rows(`INSERT INTO organizations (id, name) VALUES ($1, 'Large')`, [organizationId]);
  await database.rows(
    `INSERT INTO assets (id, organization_id, name, type, class, uri) VALUES ($1, $2, 'Shop', 'WEBAPP', 'FRONTEND', 'x')`,
    [assetId, organizationId],
  );
  await database.rows(
    `INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                         security_test_uid, identity, created_at, last_seen_at, due_at, assignee_id)
     SELECT gen_random_uuid(), $1, $2, 'Weakness ' || n, 'Weakness', (ARRAY['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'])[1 + n % 5],
            'INJECTION', CASE WHEN n % 3 = 0 THEN 'OPEN' ELSE 'RESOLVED' END, n, 'rule-' || n % 500, n,
            now() - n * interval '1 minute', now() - (n * 7 % ${count}) * interval '1 minute',
            CASE WHEN n % 4 = 0 THEN now() + (n % 900 - 20) * interval '1 hour' END, CASE WHEN n % 300 = 0 THEN $3::uuid END
       FROM generate_series(1, ${count}) AS n`,
    [organizationId, assetId, assignee],
  );
  await database.rows(`INSERT INTO branches (id, organization_id, asset_id, name) VALUES ($1, $2, $3, 'feature/old')`, [
    branchId,
    organizationId,
    assetId,
  ]);
  // The oldest: a walk of all issues in their order would find them last.
  await database.rows(
    `INSERT INTO issue_branches (issue_id, branch_id, last_seen_at, present)
     SELECT id, $2, now(), true FROM (SELECT id FROM issues WHERE organization_id = $1 ORDER BY created_at LIMIT 40) AS oldest`,
    [organizationId, branchId],
  );
  await database.rows('ANALYZE');
}, 300_000);
afterAll(() => database.drop());

async function issuesRead(sort: IssueSort, given: IssueFilters): Promise<number> {
  expect(isSearch(sort, given)).toBe(false);
  const { statement, values } = pages[sort].of([organizationId, size + 1, ...startOfIssues(sort, undefined)], given);
  const reads = (await readsOf(database, statement.text, values)).filter((read) => read['Relation Name'] === 'issues');
  expect(walksIn(reads)).toEqual([]);
  return rowsIn(reads);
}

describe(`A page of ${count} issues of one organization`, () => {
  it.each<[IssueSort, string, IssueFilters]>([
    ['created', 'none', {}],
    ['severity', 'none', {}],
    ['last-seen', 'none', {}],
    ['due', 'none', {}],
    ['created', 'assignee', { assignee }],
    ['created', 'rule', { rule: ['rule-7'] }],
    ['last-seen', 'lastSeenUntil', { lastSeenUntil: new Date(Date.now() - 5 * 86_400_000) }],
    ['due', 'overdue', { overdue: true }],
    ...issueSorts.map((sort): [IssueSort, string, IssueFilters] => [sort, 'branch', { smallBranch: 'feature/old' }]),
    ['severity', 'a branch that does not exist', { smallBranch: 'none' }],
  ])('sorted by %s with the filter %s reads few more than it has, by an index', async (sort, _, given) => {
    expect(await issuesRead(sort, given)).toBeLessThan(size * 20);
  });
});

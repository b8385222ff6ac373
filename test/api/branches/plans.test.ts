import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Client, type QueryConfig } from 'pg';
import { readsOf, type TableRead, walksIn } from '../../support/explain.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let busy: InsertedOrganization;
beforeAll(async () => {
  app = await startTestApp();
  busy = await insertOrganization(app);
  const asset = await new ScanningRows(app, busy.id).asset();
  // Ten thousand branches with four issues each, that are nowhere else: every tenth is of the default branch too.
  await app.database.rows(
    `WITH branch AS (
       INSERT INTO branches (id, organization_id, asset_id, name, is_default, decides, last_scanned_at, created_at)
       SELECT md5('branch' || n)::uuid, $1, $2, CASE n WHEN 0 THEN 'main' ELSE 'fix/' || n END, n = 0, n = 0, now(),
              now() - n * interval '1 minute' FROM generate_series(0, 10000) AS n RETURNING id
     ), issue AS (
       INSERT INTO issues (id, organization_id, asset_id, name, full_name, severity, category, status, alert_uid,
                           security_test_uid, identity, created_at, branch_only)
       SELECT md5('issue' || n)::uuid, $1, $2, 'n' || n, 'n', 'LOW', 'CUSTOM', 'OPEN', 'a', 's', 'i' || n,
              now() - n * interval '1 minute', n % 10 <> 0 FROM generate_series(1, 40000) AS n RETURNING id
     )
     SELECT count(*) FROM branch, (SELECT FROM issue LIMIT 1) AS made`,
    [busy.id, asset],
  );
  await app.database.rows(
    `INSERT INTO issue_branches (issue_id, branch_id, last_seen_at, present)
     SELECT md5('issue' || n)::uuid, md5('branch' || 1 + n % 10000)::uuid, now(), true FROM generate_series(1, 40000) AS n
      UNION ALL
     SELECT md5('issue' || n)::uuid, md5('branch0')::uuid, now(), true FROM generate_series(10, 40000, 10) AS n`,
  );
  await app.database.rows('VACUUM ANALYZE issues, branches, issue_branches');
});
afterAll(() => app.close());

/** How the list reads tables, by the statement that the service sends. */
async function readsFor(path: string, from: string): Promise<TableRead[]> {
  const sent = jest.spyOn(Client.prototype, 'query');
  const { status, body } = await app.api.get<{ data: object[] }>(path, { token: busy.member.token });
  expect([status, body.data.length > 0]).toEqual([200, true]);
  const calls = sent.mock.calls.map(([first]) => first as string | QueryConfig);
  sent.mockRestore();
  const list = calls.filter((one): one is QueryConfig => typeof one !== 'string' && one.text.includes(from));
  expect(list).toHaveLength(1);
  return readsOf(app.database, list[0]?.text ?? '', list[0]?.values ?? []);
}

const entriesOf = (reads: TableRead[], table: string) =>
  reads
    .filter((read) => read['Relation Name'] === table)
    .reduce((sum, { 'Actual Rows': rows, 'Actual Loops': loops }) => sum + rows * loops, 0);

describe('Lists with ten thousand branches and forty thousand issues', () => {
  it.each([
    ['of a branch', 'branch=fix/77', 100],
    ['of the default branch', 'branch=main&size=20', 10_000],
    ['by default', 'size=20', 100],
    ['of all branches', 'branch=*&size=20', 100],
  ])('read issues by an index: %s', async (_what, query, most) => {
    const reads = await readsFor(`/api/v1/issues?${query}`, 'FROM issues i');
    expect(walksIn(reads).filter((read) => /^(issue|branches)/.test(read['Relation Name']))).toEqual([]);
    expect(entriesOf(reads, 'issues')).toBeLessThanOrEqual(most);
  });

  it('read branches by an index, page by page', async () => {
    const reads = await readsFor('/api/v1/branches?size=20', 'FROM branches b');
    expect(walksIn(reads)).toEqual([]);
    expect(entriesOf(reads, 'branches')).toBeLessThanOrEqual(30);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BranchClosingsService } from '../../../src/scanning/issues/branch-closings.service.js';
import type { ApiClient } from '../../support/api-client.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { type InsertedOrganization, insertOrganization } from '../../support/organizations.js';
import { FoundIssues, Imports } from '../../support/report-imports.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { reportOf } from '../reports/import-scene.js';

let app: TestApp;
let acme: InsertedOrganization;
let apis: ApiClient[];
beforeAll(async () => {
  app = await startTestApp();
  const other = await app.anotherNode();
  acme = await insertOrganization(app);
  apis = [app.api, other.api];
});
afterAll(() => app.close());

const onNode = (at: number): Imports => new Imports(apis[at % apis.length] ?? app.api, acme.member.token);
const statusOf = async (name: string) =>
  (await new FoundIssues(app.api, acme.member.token).list('&branch=*')).find((issue) => issue.name === name)?.status;

/** The issues of open branches that are nowhere but on these, and yet resolved; and the other way round. */
async function contradictions(): Promise<object[]> {
  return app.database.rows(
    `SELECT i.name, i.status FROM issues i
      WHERE i.organization_id = $1 AND i.branch_only
        AND (i.status = 'OPEN') <> EXISTS (
          SELECT FROM issue_branches x JOIN branches b ON b.id = x.branch_id
           WHERE x.issue_id = i.id AND x.present AND b.closed_at IS NULL)`,
    [acme.id],
  );
}

describe('Branches on two nodes', () => {
  it('are made once by imports of the same branch at once, and have all issues', async () => {
    await onNode(0).import(reportOf('old'), '?branch=main');
    const query = '?branch=twice&resolveGone=true';
    await Promise.all([0, 1, 2, 3].map((at) => onNode(at).import(reportOf('old', `own ${at % 2}`), query)));
    const rows = await app.database.rows(`SELECT name FROM branches WHERE organization_id = $1 AND name = 'twice'`, [
      acme.id,
    ]);
    expect(rows).toHaveLength(1);
    expect(await contradictions()).toEqual([]);
  });

  it('are closed before or after an import, never in the middle of one', async () => {
    const query = '?branch=racing&resolveGone=true';
    for (const round of [1, 2, 3]) {
      await Promise.all([
        onNode(round).import(reportOf('old', 'racing'), query),
        apis[(round + 1) % 2]?.post('/api/v1/branches/close', { token: acme.member.token, json: { name: 'racing' } }),
      ]);
      expect(await contradictions()).toEqual([]);
    }
  });
});

describe('The job silent-branches', () => {
  const closeSilent = () => app.nest.get(BranchClosingsService, { strict: false }).closeSilent();

  it('closes branches that nobody has scanned for thirty days, and forgets those closed as long ago', async () => {
    await onNode(0).import(reportOf('silent'), '?branch=silent');
    await onNode(0).import(reportOf('loud'), '?branch=loud');
    const age = `UPDATE branches SET last_scanned_at = now() - interval '31 days', closed_at = closed_at - interval '31 days'
                  WHERE organization_id = $1 AND name = ANY($2)`;
    await app.database.rows(age, [acme.id, ['silent', 'main']]);
    await closeSilent();
    expect([await statusOf('silent'), await statusOf('loud'), await statusOf('old')]).toEqual([
      'RESOLVED',
      'OPEN',
      'OPEN',
    ]);
    const names = async () => {
      const sql = 'SELECT name FROM branches WHERE organization_id = $1';
      return (await app.database.rows<{ name: string }>(sql, [acme.id])).map(({ name }) => name);
    };
    expect(await names()).toContain('silent');
    await app.database.rows(age, [acme.id, ['silent']]);
    await closeSilent();
    expect(await names()).toEqual(expect.arrayContaining(['main', 'loud']));
    expect(await names()).not.toContain('silent');
  });

  it.each(['last_scanned_at = now()', 'decides = true'])('leaves open what has %s meanwhile', async (change) => {
    await onNode(0).import(reportOf('late'), '?branch=late');
    const set = (what: string) => `UPDATE branches SET ${what} WHERE organization_id = $1 AND name = 'late'`;
    await app.database.rows(set(`last_scanned_at = now() - interval '31 days'`), [acme.id]);
    const other = await HeldTransaction.open(app.database, set(change), [acme.id]);
    const closing = closeSilent();
    await other.blocks(1);
    await other.commit();
    await closing;
    expect(await statusOf('late')).toBe('OPEN');
  });

  it('comes to what is silent behind any number of branches that are closed or decide', async () => {
    await onNode(0).import(reportOf('behind'), '?branch=behind');
    await app.database.rows(
      `INSERT INTO branches (id, organization_id, asset_id, name, decides, closed_at, last_scanned_at)
       SELECT gen_random_uuid(), organization_id, asset_id, state || gen_random_uuid(), state = 'decides',
              CASE state WHEN 'closed' THEN now() END, now() - interval '40 days'
         FROM branches, unnest(ARRAY['closed', 'decides']) AS state, generate_series(1, 100)
        WHERE organization_id = $1 AND name = 'main'`,
      [acme.id],
    );
    const age = `UPDATE branches SET last_scanned_at = now() - interval '31 days' WHERE organization_id = $1 AND name = $2`;
    await app.database.rows(age, [acme.id, 'behind']);
    await closeSilent();
    expect(await statusOf('behind')).toBe('RESOLVED');
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { IssueBulkResult } from '../../../src/scanning/issues/issue-bulk.dto.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { IssueCalls } from '../../support/issues.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let organization: InsertedOrganization;
let issues: IssueCalls;
let ids: string[];
let filter: object;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  organization = await insertOrganization(app);
  issues = new IssueCalls(app, organization.member.token);
  const rows = new ScanningRows(app, organization.id);
  const assetId = await rows.asset();
  ids = [];
  for (const severity of ['LOW', 'LOW', 'HIGH']) ids.push(await rows.issue(assetId, { severity }));
  filter = { severities: ['LOW'] };
});

const bulk = (json: object) =>
  app.api.post<IssueBulkResult>('/api/v1/issues/bulk', { token: organization.member.token, json });
const statuses = async () => (await Promise.all(ids.map((id) => issues.get(id)))).map(({ status }) => status);

describe('POST /api/v1/issues/bulk', () => {
  it('says first what would change, and then changes it, with activities and one audit entry', async () => {
    const changes = { status: 'IGNORED', acceptedReason: 'An old branch' };
    const dry = await bulk({ filter, changes, dryRun: true });
    expect(dry.body).toMatchObject({ dryRun: true, matching: 2, changing: 2, changed: 0, remaining: 2 });
    expect(dry.body.first).toHaveLength(2);
    expect(dry.body.first[0]?.changes).toContainEqual({ kind: 'STATUS', from: 'OPEN', to: 'IGNORED' });
    expect(await statuses()).toEqual(['OPEN', 'OPEN', 'OPEN']);
    const done = await bulk({ filter, changes, expectedCount: 2 });
    expect(done.body).toMatchObject({ matching: 2, changing: 2, changed: 2, remaining: 0, first: [] });
    expect(await statuses()).toEqual(['IGNORED', 'IGNORED', 'OPEN']);
    expect((await issues.activities(ids[0] ?? '')).map(({ kind }) => kind)).toEqual(['STATUS', 'ACCEPTANCE']);
    const entries = await app.database.rows('SELECT action FROM audit_entries WHERE log_id = $1', [organization.id]);
    expect(entries).toEqual([{ action: 'organization.issues_changed' }]);
    expect((await bulk({ filter, changes })).body).toMatchObject({ matching: 2, changing: 0, changed: 0 });
  });

  it('changes nothing where others match than the caller expects', async () => {
    const { status, body } = await bulk({ filter, changes: { status: 'RESOLVED' }, expectedCount: 3 });
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: 'count_differs' });
    expect(await statuses()).toEqual(['OPEN', 'OPEN', 'OPEN']);
  });

  it('waits for no import: it leaves what another has in hand, and says so', async () => {
    const held = await HeldTransaction.open(app.database, 'SELECT FROM issues WHERE id = $1 FOR NO KEY UPDATE', [
      ids[0],
    ]);
    try {
      const { body } = await bulk({ filter, changes: { assigneeId: organization.viewer.userId } });
      expect(body).toMatchObject({ changing: 2, changed: 1, remaining: 1 });
    } finally {
      await held.commit();
    }
    const again = await bulk({ filter, changes: { assigneeId: organization.viewer.userId } });
    expect(again.body).toMatchObject({ matching: 2, changing: 1, changed: 1, remaining: 0 });
  });

  it.each([
    [{ changes: { comment: 'Only a comment' } }, 'changes'],
    [{ changes: { acceptedUntil: '2999-01-01T00:00:00Z' } }, 'changes'],
    [{ changes: { status: 'RESOLVED' }, filter: { severities: ['WORST'] } }, 'filter'],
    [{ changes: { status: 'RESOLVED' }, filter: { colour: 'red' } }, 'filter'],
  ])('refuses %j', async (json, field) => {
    const { status, body } = await bulk({ filter, ...json });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain(`"body","${field}"`);
  });
});

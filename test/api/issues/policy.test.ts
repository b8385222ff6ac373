import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HeldTransaction } from '../../support/held-transaction.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { ScanningRows } from '../../support/scanning-rows.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { listenTo } from '../../support/workflow-triggers.js';

const path = '/api/v1/issues/policy';
let app: TestApp;
let organization: InsertedOrganization;
let scanId: string;
let issues: IssueCalls;
let rows: ScanningRows;
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  rows = new ScanningRows(app, organization.id);
  scanId = (await new Scanning(app, organization).scan()).id;
  issues = new IssueCalls(app, organization.member.token);
});
afterAll(() => app.close());

const put = (json: object) => app.api.put<object>(path, { token: organization.admin.token, json });
const daysUntil = (time: unknown): number => Math.round((Date.parse(String(time)) - Date.now()) / 86_400_000);

describe('PUT /api/v1/issues/policy', () => {
  it('gives new issues a due date by severity, and an assignee by the first of their tags', async () => {
    const [tag, later] = [await rows.tag({ name: 'payments' }), await rows.tag({ name: 'all' })];
    const { userId, username } = organization.viewer;
    const assignees = [
      { tagId: tag, userId },
      { tagId: later, userId: organization.admin.userId },
    ];
    const { status, body } = await put({ daysToFix: { CRITICAL: 7, LOW: null }, assignees });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      daysToFix: { CRITICAL: 7, HIGH: null, LOW: null },
      assignees: [{ tagName: 'payments', username }, { tagName: 'all' }],
      reasonRequired: false,
    });
    const [tagged, plain] = [await rows.asset({}, [later, tag]), await rows.asset()];
    const made = await issues.appended(
      scanId,
      finding(tagged, { severity: 'CRITICAL' }),
      finding(plain, { severity: 'CRITICAL' }),
      finding(tagged, { severity: 'LOW', name: 'Low' }),
      finding(plain, { severity: 'CRITICAL', name: 'Set aside', suppressed: true }),
    );
    const [first, second, third, fourth] = await Promise.all(made.map(({ id }) => issues.get(id)));
    expect([daysUntil(first?.dueAt), first?.assigneeId]).toEqual([7, userId]);
    expect([daysUntil(second?.dueAt), second?.assigneeId]).toEqual([7, null]);
    expect([third?.dueAt, third?.assigneeId]).toEqual([null, userId]);
    expect(fourth?.dueAt).toBeNull();
  });

  it('asks for a reason where an issue is ignored without an end, if it says so', async () => {
    const [one] = await issues.appended(scanId, finding(await rows.asset()));
    const id = one?.id ?? '';
    await put({ daysToFix: {}, reasonRequired: true });
    const bare = await issues.patch(id, { status: 'IGNORED' });
    expect(bare.status).toBe(422);
    expect(bare.body).toMatchObject({ detail: [{ loc: ['body', 'acceptedReason'] }] });
    expect((await issues.patch(id, { status: 'IGNORED', comment: 'A test double' })).status).toBe(200);
    await put({ daysToFix: {} });
    expect((await issues.patch(id, { status: 'IGNORED' })).status).toBe(200);
  });

  it('refuses to replace a policy that has changed since it was read, the first one too', async () => {
    const other = await insertOrganization(app);
    const { token } = other.admin;
    const read = await app.api.get<object>(path, { token });
    const etag = read.headers.get('etag') ?? '';
    const write = (days: number, ifMatch: string) =>
      app.api.put<object>(path, {
        token,
        json: { daysToFix: { HIGH: days } },
        headers: { 'if-match': ifMatch },
      });
    const both = await Promise.all([write(1, etag), write(2, etag)]);
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 412]));
    expect(both.find(({ status }) => status === 412)?.body).toMatchObject({ code: 'changed_meanwhile' });
    const first = both.find(({ status }) => status === 200);
    expect((await app.api.get<object>(path, { token })).headers.get('etag')).toBe(first?.headers.get('etag'));
    expect((await write(3, first?.headers.get('etag') ?? '')).status).toBe(200);
    expect((await write(4, '*')).body).toMatchObject({ daysToFix: { HIGH: 4 } });
  });

  it('refuses tags and users of others, and a tag twice', async () => {
    const other = await insertOrganization(app);
    const [own, foreign] = [await rows.tag(), await new ScanningRows(app, other.id).tag()];
    const { userId } = organization.member;
    const wrong = [
      [{ tagId: foreign, userId }],
      [{ tagId: own, userId: other.member.userId }],
      [
        { tagId: own, userId },
        { tagId: own.toUpperCase(), userId },
      ],
    ];
    for (const assignees of wrong) expect((await put({ daysToFix: {}, assignees })).status).toBe(422);
  });

  it('forgets a default assignee who leaves', async () => {
    const { userId, token } = await organization.join('member');
    await put({ daysToFix: {}, assignees: [{ tagId: await rows.tag(), userId }] });
    await app.api.delete(`/api/v1/organizations/${organization.id}/members/me`, { token });
    const { body } = await app.api.get(path, { token: organization.viewer.token });
    expect(body).toMatchObject({ assignees: [] });
  });

  it('lets a default assignee leave while issues are being written, and assigns them to nobody', async () => {
    const { userId, token } = await organization.join('member');
    const tagId = await rows.tag();
    await put({ daysToFix: {}, assignees: [{ tagId, userId }] });
    await listenTo(app, organization.id, 'NEW_ISSUE');
    const held = await HeldTransaction.open(app.database, 'LOCK TABLE workflow_triggers IN SHARE MODE');
    const writing = issues.one(scanId, finding(await rows.asset({}, [tagId]), { name: 'Meanwhile' }));
    await held.blocks(1);
    const left = await app.api.delete(`/api/v1/organizations/${organization.id}/members/me`, { token });
    expect(left.status).toBe(204);
    await held.commit();
    expect(await issues.get(await writing)).toMatchObject({ assigneeId: null, assignee: null });
  });
});

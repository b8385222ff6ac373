import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IssueUpkeepService } from '../../../src/scanning/issues/issue-upkeep.service.js';
import { finding, IssueCalls } from '../../support/issues.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { Scanning } from '../../support/scanning.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const later = '2999-01-01T00:00:00.000Z';
const ticket = 'https://tickets.example.com/SHOP-42';

let app: TestApp;
let organization: InsertedOrganization;
let acme: Scanning;
let issues: IssueCalls;
let assetId: string;
let scanId: string;
beforeAll(async () => {
  app = await startTestApp();
  organization = await insertOrganization(app);
  acme = new Scanning(app, organization);
  issues = new IssueCalls(app, acme.token);
  assetId = (await acme.asset()).id;
  scanId = (await acme.scan()).id;
  await acme.listenTo('ISSUE_UPDATED');
});
afterAll(() => app.close());

let named = 0;
const newIssue = () => issues.one(scanId, finding(assetId, { name: `Finding ${named++}` }));
const movesOf = async (id: string) =>
  (await issues.activities(id)).slice(1).map(({ kind, from, to, comment }) => ({ kind, from, to, comment }));
const upkeep = (nest = app.nest) => nest.get(IssueUpkeepService, { strict: false });
const end = (id: string) =>
  app.database.rows(`UPDATE issues SET accepted_until = now() - interval '1 hour' WHERE id = $1`, [id]);

describe('PATCH /api/v1/issues/{id}', () => {
  it('sets and clears assignee, due date and link, each with an activity', async () => {
    const id = await newIssue();
    const { userId, username } = organization.viewer;
    const set = await issues.patch(id, { assigneeId: userId, dueAt: later, externalUrl: ticket });
    expect(set.body).toMatchObject({ assigneeId: userId, assignee: { username }, dueAt: later, externalUrl: ticket });
    const none = { assigneeId: null, dueAt: null, externalUrl: null };
    expect((await issues.patch(id, none)).body).toMatchObject({ ...none, assignee: null });
    expect(await movesOf(id)).toEqual([
      { kind: 'ASSIGNEE', from: null, to: username, comment: null },
      { kind: 'DUE_DATE', from: null, to: later, comment: null },
      { kind: 'LINK', from: null, to: ticket, comment: null },
      { kind: 'ASSIGNEE', from: username, to: null, comment: null },
      { kind: 'DUE_DATE', from: later, to: null, comment: null },
      { kind: 'LINK', from: ticket, to: null, comment: null },
    ]);
    expect(await acme.triggersAbout(id)).toHaveLength(2);
  });

  it('accepts an issue until a time, with the reason and who did it, until its status changes', async () => {
    const id = await newIssue();
    const acceptance = { acceptedUntil: later, acceptedReason: 'Only in the staging build' };
    const accepted = await issues.patch(id, { status: 'IGNORED', ...acceptance });
    const { userId, username } = organization.member;
    const acceptedBy = { kind: 'USER', userId, name: username };
    expect(accepted.body).toMatchObject({ status: 'IGNORED', ...acceptance, acceptedBy });
    expect(await movesOf(id)).toEqual([
      { kind: 'STATUS', from: 'OPEN', to: 'IGNORED', comment: null },
      { kind: 'ACCEPTANCE', from: null, to: later, comment: acceptance.acceptedReason },
    ]);
    const opened = await issues.patch(id, { status: 'OPEN' });
    expect(opened.body).toMatchObject({ acceptedUntil: null, acceptedReason: null, acceptedBy: null });
  });

  it('takes the comment for the reason where there is no other', async () => {
    const id = await newIssue();
    const { body } = await issues.patch(id, { status: 'IGNORED', comment: 'Known and harmless' });
    expect(body).toMatchObject({ acceptedReason: 'Known and harmless', acceptedUntil: null });
    expect(await movesOf(id)).toEqual([{ kind: 'STATUS', from: 'OPEN', to: 'IGNORED', comment: 'Known and harmless' }]);
  });

  it.each([
    [{ assigneeId: '6f1c1f0e-58d1-4c0b-9b1e-0d5a4c3b2a10' }, 'assigneeId'],
    [{ acceptedUntil: later }, 'acceptedUntil'],
    [{ acceptedReason: 'Because' }, 'acceptedReason'],
    [{ status: 'RESOLVED', acceptedUntil: later }, 'acceptedUntil'],
    [{ status: 'IGNORED', acceptedUntil: '2020-01-01T00:00:00Z' }, 'acceptedUntil'],
    [{ dueAt: 'tomorrow' }, 'dueAt'],
    [{ externalUrl: 'javascript:alert(1)' }, 'externalUrl'],
    [{ externalUrl: 'SHOP-42' }, 'externalUrl'],
  ])('refuses %j', async (changes, field) => {
    const id = await newIssue();
    const { status, body } = await issues.patch(id, changes);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', field] }] });
    expect(await movesOf(id)).toEqual([]);
  });
});

describe('The end of an acceptance', () => {
  it('opens the issue once, with its reason, when two nodes look at the same time', async () => {
    const ids = [await newIssue(), await newIssue()];
    for (const id of ids) {
      await issues.patch(id, { status: 'IGNORED', acceptedUntil: later, acceptedReason: 'Until the release' });
      await end(id);
    }
    const other = await app.anotherNode();
    await Promise.all([upkeep().openEnded(), upkeep(other.nest).openEnded(), upkeep().openEnded()]);
    for (const id of ids) {
      expect(await issues.get(id)).toMatchObject({ status: 'OPEN', acceptedUntil: null, acceptedBy: null });
      const [last, ...others] = (await movesOf(id)).filter(({ to }) => to === 'OPEN');
      expect(others).toEqual([]);
      expect(last).toMatchObject({
        kind: 'STATUS',
        from: 'IGNORED',
        comment: expect.stringContaining('Until the rel'),
      });
      expect((await acme.triggersAbout(id)).map(({ type }) => type)).toEqual(['ISSUE_UPDATED', 'ISSUE_UPDATED']);
    }
  });

  it('leaves issues whose acceptance goes on', async () => {
    const id = await newIssue();
    await issues.patch(id, { status: 'IGNORED', acceptedUntil: later });
    await upkeep().openEnded();
    expect(await issues.get(id)).toMatchObject({ status: 'IGNORED', acceptedUntil: later });
  });
});

describe('An assignee who leaves', () => {
  it('loses the issues of that organization, each with an activity', async () => {
    const id = await newIssue();
    const { userId, token } = await organization.join('member');
    await issues.patch(id, { assigneeId: userId });
    const left = await app.api.delete(`/api/v1/organizations/${organization.id}/members/me`, { token });
    expect(left.status).toBe(204);
    const [job] = await app.database.rows(
      `SELECT 1 AS one FROM graphile_worker.jobs WHERE task_identifier = 'issue-unassign'`,
    );
    expect(job).toBeDefined();
    await upkeep().unassign(userId);
    expect(await issues.get(id)).toMatchObject({ assigneeId: null, assignee: null });
    expect((await movesOf(id)).at(-1)).toMatchObject({ kind: 'ASSIGNEE', to: null, comment: 'The assignee left' });
  });
});

describe('Somebody whose account is deleted', () => {
  it('is in no answer about issues, even before their issues are taken from them', async () => {
    const { userId, token } = await organization.join('member');
    const [assigned, accepted] = [await newIssue(), await newIssue()];
    await issues.patch(assigned, { assigneeId: userId });
    const json = { status: 'IGNORED', acceptedReason: 'Known' };
    await app.api.send('PATCH', `/api/v1/issues/${accepted}`, { token, json });
    expect(await issues.get(accepted)).toMatchObject({ acceptedBy: { userId } });
    await app.database.rows('UPDATE users SET deleted_at = now() WHERE id = $1', [userId]);
    expect(await issues.get(assigned)).toMatchObject({ assigneeId: null, assignee: null });
    expect(await issues.get(accepted)).toMatchObject({ acceptedBy: null });
    for (const place of [
      'issues?size=100',
      'issues/export?format=jsonl',
      'issues/export?format=csv',
      'issues/groups?by=rule',
    ]) {
      const answer = await fetch(`${app.baseUrl}/api/v1/${place}`, {
        headers: { authorization: `Bearer ${acme.token}` },
      });
      expect([place, answer.status, (await answer.text()).includes(userId)]).toEqual([place, 200, false]);
    }
  });
});

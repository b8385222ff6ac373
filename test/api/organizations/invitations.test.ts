import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Invitation } from '../../../src/scanning/organizations/invitations.dto.js';
import { InvitationsRepository } from '../../../src/scanning/organizations/invitations.repository.js';
import type { ApiClient } from '../../support/api-client.js';
import { insertUser, newUsername } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { insertInvitation, insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type InvitationPage = { data: Invitation[]; nextCursor: string | null };

const perDay = 6;

let app: TestApp;
let acme: InsertedOrganization;
let token: string;
let path: string;
beforeAll(async () => {
  app = await startTestApp({ env: { QUOTAS: `invitations=${perDay},members=7` } });
});
beforeEach(async () => {
  acme = await insertOrganization(app);
  token = acme.admin.token;
  path = `/api/v1/organizations/${acme.id}/members`;
});
afterAll(() => app.close());

const invite = (json: object, caller: object = { token }) => app.api.post<Invitation>(path, { ...caller, json });
const newAddress = () => `${newUsername()}@example.com`;

async function pending(): Promise<Invitation[]> {
  return (await app.api.get<InvitationPage>(`${path}?status=INVITED`, { token })).body.data;
}

async function memberCount(): Promise<number> {
  const rows = await app.database.rows('SELECT FROM organization_members WHERE organization_id = $1', [acme.id]);
  return rows.length;
}

describe('POST /api/v1/organizations/{organizationId}/members', () => {
  it('invites an account by its id without making it a member', async () => {
    const { id: userId, username, token: theirs } = await insertUser(app);
    const { status, body } = await invite({ userId, role: 'member' });
    expect(status).toBe(201);
    expect(body).toEqual({
      invitationId: expect.any(String),
      userId,
      username,
      email: null,
      role: 'member',
      status: 'INVITED',
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect(Date.parse(String(body.expiresAt)) - Date.parse(String(body.createdAt))).toBe(14 * 86_400_000);
    expect(await memberCount()).toBe(3);
    expect((await app.api.get(path, { token: theirs })).status).toBe(404);
  });

  it('invites an account by its username, ignoring case', async () => {
    const { id, username } = await insertUser(app);
    const { status, body } = await invite({ username: username.toUpperCase(), role: 'viewer' });
    expect([status, body.userId, body.username]).toEqual([201, id, username]);
  });

  it('does not reveal whether an address has an account, or whether that is a member', async () => {
    const shownOf = async (email: string) => {
      const { status, body } = await invite({ email, role: 'member' });
      return [status, { ...body, invitationId: '', email: '', createdAt: '', expiresAt: '' }];
    };
    const nobody = await shownOf(newAddress());
    expect(nobody).toEqual([201, expect.objectContaining({ userId: null, username: null })]);
    expect(await shownOf((await insertUser(app)).email)).toEqual(nobody);
    expect(await shownOf(`${acme.viewer.username}@example.com`)).toEqual(nobody);
  });

  it.each(['username', 'email'])('responds with 200 with the same invitation for the same %s again', async (by) => {
    const name = by === 'email' ? newAddress() : (await insertUser(app)).username;
    const first = await invite({ [by]: name, role: 'viewer' });
    const again = async () =>
      expect(await invite({ [by]: name.toUpperCase(), role: 'viewer' })).toMatchObject({
        status: 200,
        body: first.body,
      });
    expect(await auditedBy(app, again)).toEqual([]);
    const { status, body } = await invite({ [by]: name, role: 'admin' });
    expect([status, body]).toEqual([200, { ...first.body, role: 'admin' }]);
    expect(await pending()).toEqual([body]);
  });

  it('records each change of the role in order, also of concurrent ones', async () => {
    const { username } = await insertUser(app);
    const roles = ['member', 'viewer', 'admin', 'member', 'viewer', 'admin'];
    await invite({ username, role: 'viewer' });
    const entries = await auditedBy(app, () => Promise.all(roles.map((role) => invite({ username, role }))));
    expect(new Set(entries.map(({ action }) => action))).toEqual(new Set(['invitation.role_changed']));
    // Each begins where another ended, so that together they lead from the first role to the last.
    const ends = new Map([['viewer', 1]]);
    for (const { changes } of entries) {
      const { from, to } = changes['role'] as { from: string; to: string };
      ends.set(from, (ends.get(from) ?? 0) - 1).set(to, (ends.get(to) ?? 0) + 1);
    }
    const role = (await pending())[0]?.role;
    expect([...ends].filter(([, count]) => count !== 0)).toEqual([[role, 1]]);
  });

  it('replaces an invitation that has expired', async () => {
    const email = newAddress();
    const old = await insertInvitation(app, acme.id, { email, expiresAt: 'yesterday' });
    const { status, body } = await invite({ email, role: 'member' });
    expect(status).toBe(201);
    expect(body.invitationId).not.toBe(old);
    expect(Date.parse(String(body.expiresAt))).toBeGreaterThan(Date.now());
  });

  it('makes one invitation under ten concurrent requests on two nodes', async () => {
    const { id: userId } = await insertUser(app);
    const nodes = [app.api, (await app.anotherNode()).api];
    const json = { userId, role: 'viewer' };
    const send = (api: ApiClient) => api.post<Invitation>(path, { token, json });
    const answers = await Promise.all(Array.from({ length: 5 }, () => nodes.map(send)).flat());
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(new Set(answers.map(({ body }) => body.invitationId)).size).toBe(1);
  });

  it.each([
    [{ role: 'viewer' }, ['body', 'userId'], 'missing'],
    [{ username: 'both', email: 'both@example.com', role: 'viewer' }, ['body', 'userId'], 'value_error'],
    [{ username: 'somebody' }, ['body', 'role'], 'missing'],
    [{ username: 'somebody', role: 'owner' }, ['body', 'role'], 'enum'],
    [{ userId: 'nobody', role: 'viewer' }, ['body', 'userId'], 'uuid_parsing'],
    [{ email: 'nobody', role: 'viewer' }, ['body', 'email'], 'value_error'],
    [{ email: 'a@example.com\r\nBcc: b@example.com', role: 'viewer' }, ['body', 'email'], 'value_error'],
  ])('responds with 422 for %j', async (json, loc, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc, type })]);
  });

  it('responds with 404 for an unknown account and a deleted one', async () => {
    const { id } = await insertUser(app);
    await app.database.rows('UPDATE users SET deleted_at = now() WHERE id = $1', [id]);
    for (const user of [{ username: 'nobody_at_all' }, { userId: id }]) {
      expect((await invite({ ...user, role: 'viewer' })).status).toBe(404);
    }
  });

  it('responds with 409 for a member', async () => {
    const answer = await invite({ userId: acme.viewer.userId, role: 'admin' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'already_a_member' } });
    expect(await pending()).toEqual([]);
  });

  it('accepts the API key of an admin, and responds with 403 to viewers and members', async () => {
    const headers = { 'x-api-key': await acme.key('admin') };
    expect((await invite({ email: newAddress(), role: 'viewer' }, { headers })).status).toBe(201);
    for (const role of ['viewer', 'member'] as const) {
      const answer = await invite({ email: newAddress(), role: 'viewer' }, { token: acme[role].token });
      expect(answer.status).toBe(403);
    }
  });

  it('counts invitations as members, but not expired ones', async () => {
    await insertInvitation(app, acme.id, { email: newAddress(), expiresAt: 'yesterday' });
    for (let number = 3; number < 7; number++) {
      expect((await invite({ email: newAddress(), role: 'viewer' })).status).toBe(201);
    }
    const answer = await invite({ email: newAddress(), role: 'viewer' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'quota_exceeded' } });
  });

  it('limits how many a user sends in a day, and leaves no trace of refused ones', async () => {
    const others = await insertOrganization(app);
    const theirs = `/api/v1/organizations/${others.id}/members`;
    await app.database.rows(
      `INSERT INTO organization_members (organization_id, user_id, role) VALUES ($1, $2, 'admin')`,
      [others.id, acme.admin.userId],
    );
    const send = (to: string) => app.api.post(to, { token, json: { email: newAddress(), role: 'viewer' } });
    for (let number = 0; number < perDay; number++) {
      expect((await send(number % 2 === 0 ? path : theirs)).status).toBe(201);
    }
    const answer = await send(path);
    expect(answer).toMatchObject({ status: 429, body: { code: 'rate_exceeded' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await pending()).toHaveLength(perDay / 2);
  });
});

describe('GET /api/v1/organizations/{organizationId}/members?status=INVITED', () => {
  it('lists pending invitations, newest first, in pages, for admins', async () => {
    await insertInvitation(app, acme.id, { email: newAddress(), expiresAt: 'yesterday' });
    const made = [];
    for (let number = 0; number < 3; number++) made.push((await invite({ email: newAddress(), role: 'viewer' })).body);
    const first = await app.api.get<InvitationPage>(`${path}?status=INVITED&size=2`, { token });
    const query = `status=INVITED&size=2&cursor=${first.body.nextCursor}`;
    const rest = await app.api.get<InvitationPage>(`${path}?${query}`, { token });
    expect([...first.body.data, ...rest.body.data]).toEqual(made.toReversed());
    expect(rest.body.nextCursor).toBeNull();
    for (const role of ['viewer', 'member'] as const) {
      const answer = await app.api.get(`${path}?status=INVITED`, { token: acme[role].token });
      expect(answer).toMatchObject({ status: 403, body: { code: 'role_too_low' } });
    }
  });
});

describe('DELETE /api/v1/organizations/{organizationId}/invitations/{invitationId}', () => {
  const revoke = (id: string, caller = token) =>
    app.api.delete(`/api/v1/organizations/${acme.id}/invitations/${id}`, { token: caller });

  it('revokes an invitation, once', async () => {
    const id = await insertInvitation(app, acme.id, { email: newAddress() });
    expect((await revoke(id)).status).toBe(204);
    expect(await pending()).toEqual([]);
    expect((await revoke(id)).status).toBe(404);
  });

  it("responds with 404 for another organization's invitation, and 403 to a member", async () => {
    const others = await insertOrganization(app);
    expect((await revoke(await insertInvitation(app, others.id, { email: newAddress() }))).status).toBe(404);
    const own = await insertInvitation(app, acme.id, { email: newAddress() });
    expect((await revoke(own, acme.member.token)).status).toBe(403);
  });
});

describe('An invitation', () => {
  it.each(['leaves', 'is removed', 'is made a viewer'])('ends when the admin who sent it %s', async (how) => {
    const eve = await acme.join('admin');
    const json = { email: newAddress(), role: 'admin' };
    expect((await app.api.post(path, { token: eve.token, json })).status).toBe(201);
    const own = (await invite({ email: newAddress(), role: 'viewer' })).body;
    if (how === 'leaves') await app.api.delete(`${path}/me`, { token: eve.token });
    else if (how === 'is removed') await app.api.delete(`${path}/${eve.userId}`, { token });
    else await app.api.patch(`${path}/${eve.userId}`, { token, json: { role: 'viewer' } });
    expect(await pending()).toEqual([own]);
  });

  it('is swept once it has expired', async () => {
    const expired = await insertInvitation(app, acme.id, { email: newAddress(), expiresAt: 'yesterday' });
    const kept = await insertInvitation(app, acme.id, { email: newAddress() });
    await app.nest.get(InvitationsRepository).removeExpired();
    const left = await app.database.rows('SELECT id FROM organization_invitations WHERE id = ANY ($1)', [
      [expired, kept],
    ]);
    expect(left).toEqual([{ id: kept }]);
  });
});

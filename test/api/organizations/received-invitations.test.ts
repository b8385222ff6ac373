import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReceivedInvitationPage } from '../../../src/scanning/organizations/invitations.dto.js';
import { insertUser, type InsertedUser } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertInvitation, insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const path = '/api/v1/users/me/invitations';

let app: TestApp;
let other: ApiClient;
let acme: InsertedOrganization;
let guest: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  other = (await app.anotherNode()).api;
});
beforeEach(async () => {
  acme = await insertOrganization(app);
  guest = await insertUser(app);
});
afterAll(() => app.close());

async function received({ token }: { token: string }): Promise<ReceivedInvitationPage['data']> {
  return (await app.api.get<ReceivedInvitationPage>(path, { token })).body.data;
}

const accept = (id: string, { token } = guest, api = app.api) => api.post(`${path}/${id}/accept`, { token });
const decline = (id: string, { token } = guest) => app.api.post(`${path}/${id}/decline`, { token });

async function roleOf(userId: string): Promise<string | undefined> {
  const [row] = await app.database.rows<{ role: string }>(
    'SELECT role FROM organization_members WHERE organization_id = $1 AND user_id = $2',
    [acme.id, userId],
  );
  return row?.role;
}

describe('GET /api/v1/users/me/invitations', () => {
  it('lists those of the caller that have not expired, newest first, in pages', async () => {
    const second = await insertOrganization(app, { name: 'Second' });
    const third = await insertOrganization(app);
    const ids = [
      await insertInvitation(app, acme.id, { userId: guest.id, role: 'admin', invitedBy: acme.admin.userId }),
      await insertInvitation(app, second.id, { userId: guest.id }),
    ];
    await insertInvitation(app, third.id, { userId: guest.id, expiresAt: 'yesterday' });
    await insertInvitation(app, acme.id, { userId: (await insertUser(app)).id });
    const { token } = guest;
    const first = (await app.api.get<ReceivedInvitationPage>(`${path}?size=1`, { token })).body;
    const rest = (await app.api.get<ReceivedInvitationPage>(`${path}?size=1&cursor=${first.nextCursor}`, { token }))
      .body;
    expect([...first.data, ...rest.data]).toMatchObject([
      { invitationId: ids[1], organizationId: second.id, organizationName: 'Second', invitedBy: null },
      { invitationId: ids[0], organizationId: acme.id, role: 'admin', invitedBy: acme.admin.username },
    ]);
    expect(rest.nextCursor).toBeNull();
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.get(path)).status).toBe(401);
  });
});

describe('An invitation of an e-mail address', () => {
  const confirm = ({ id }: InsertedUser) =>
    app.database.rows('UPDATE users SET email_verified = true WHERE id = $1', [id]);

  it('is for whoever has confirmed that address, whatever its case, and for nobody else', async () => {
    const email = `Invited.${guest.username}@Example.com`;
    const invite = { token: acme.admin.token, json: { email, role: 'member' } };
    const members = `/api/v1/organizations/${acme.id}/members`;
    const { invitationId: id } = (await app.api.post<{ invitationId: string }>(members, invite)).body;
    const owner = await insertUser(app, { email: email.toLowerCase() });
    expect(await received(owner)).toEqual([]);
    expect((await accept(id, owner)).status).toBe(404);
    expect((await decline(id, owner)).status).toBe(404);
    await confirm(guest);
    expect((await accept(id)).status).toBe(404);
    await confirm(owner);
    expect(await received(owner)).toMatchObject([{ invitationId: id, organizationId: acme.id }]);
    expect(await accept(id, owner)).toMatchObject({ status: 200, body: { userId: owner.id, role: 'member' } });
  });

  it('is removed when another one to the same organization is accepted', async () => {
    await confirm(guest);
    await insertInvitation(app, acme.id, { email: guest.email, role: 'admin' });
    const id = await insertInvitation(app, acme.id, { userId: guest.id });
    const elsewhere = await insertOrganization(app);
    const remaining = await insertInvitation(app, elsewhere.id, { email: guest.email });
    expect(await accept(id)).toMatchObject({ status: 200, body: { role: 'viewer' } });
    expect(await received(guest)).toMatchObject([{ invitationId: remaining }]);
  });

  it('belongs to nobody once the account that had confirmed the address is deleted', async () => {
    await confirm(guest);
    const id = await insertInvitation(app, acme.id, { email: guest.email });
    await app.api.delete('/api/v1/users/me/profile', { token: guest.token });
    const next = await insertUser(app, { email: guest.email });
    expect((await accept(id, next)).status).toBe(404);
  });
});

describe('An invitation that nobody has accepted', () => {
  it('gives the invited no access', async () => {
    const invite = { token: acme.admin.token, json: { username: guest.username, role: 'admin' } };
    const current = () => app.api.get('/api/v1/organizations/current', { token: guest.token });
    const before = await current();
    expect(before).toMatchObject({ status: 403, body: { code: 'no_organization' } });
    await app.api.post(`/api/v1/organizations/${acme.id}/members`, invite);
    expect((await current()).body).toEqual(before.body);

    const json = { name: 'Their own' };
    const own = await app.api.post<{ id: string }>('/api/v1/organizations', { token: guest.token, json });
    expect(await current()).toMatchObject({ status: 200, body: { id: own.body.id } });
    const list = await app.api.get<{ data: unknown[] }>('/api/v1/organizations', { token: guest.token });
    expect(list.body.data).toHaveLength(1);
  });
});

describe('POST /api/v1/users/me/invitations/{invitationId}/accept', () => {
  it('makes the caller a member, on every node at once', async () => {
    const id = await insertInvitation(app, acme.id, { userId: guest.id, role: 'member' });
    const { status, body } = await accept(id, guest, other);
    const { id: userId, username } = guest;
    expect(status).toBe(200);
    expect(body).toEqual({ userId, username, role: 'member', createdAt: expect.any(String) });
    const { status: seen } = await app.api.get('/api/v1/organizations/current', { token: guest.token });
    expect(seen).toBe(200);
    expect(await received(guest)).toEqual([]);
    expect((await accept(id)).status).toBe(404);
  });

  it('leaves a member their current role', async () => {
    const { userId, token } = acme.viewer;
    const id = await insertInvitation(app, acme.id, { userId, role: 'admin' });
    expect(await accept(id, { ...guest, token })).toMatchObject({ status: 200, body: { role: 'viewer' } });
    expect(await received({ token })).toEqual([]);
  });

  it("responds with 404 for somebody else's, expired, revoked and unknown ones, and 422 for an invalid id", async () => {
    const stranger = await insertUser(app);
    const id = await insertInvitation(app, acme.id, { userId: guest.id });
    const expired = await insertInvitation(app, acme.id, { userId: stranger.id, expiresAt: 'yesterday' });
    expect((await accept(id, stranger)).status).toBe(404);
    expect((await accept(expired, stranger)).status).toBe(404);
    await app.api.delete(`/api/v1/organizations/${acme.id}/invitations/${id}`, { token: acme.admin.token });
    expect((await accept(id)).status).toBe(404);
    expect((await accept('0199a001-0000-7000-8000-0000000000ff')).status).toBe(404);
    expect((await accept('none')).status).toBe(422);
    expect(await roleOf(guest.id)).toBeUndefined();
  });

  it('makes one membership when accepted twice concurrently on two nodes', async () => {
    const id = await insertInvitation(app, acme.id, { userId: guest.id });
    const held = await HeldTransaction.open(app.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [
      acme.id,
    ]);
    const both = Promise.all([accept(id), accept(id, guest, other)]);
    await held.blocks(2);
    await held.commit();
    expect(new Set((await both).map(({ status }) => status))).toEqual(new Set([200, 404]));
    expect(await roleOf(guest.id)).toBe('viewer');
  });

  it('is either revoked or accepted, never both', async () => {
    const id = await insertInvitation(app, acme.id, { userId: guest.id });
    const held = await HeldTransaction.open(
      app.database,
      'SELECT FROM organization_invitations WHERE id = $1 FOR UPDATE',
      [id],
    );
    const revoked = `/api/v1/organizations/${acme.id}/invitations/${id}`;
    const both = Promise.all([accept(id), other.delete(revoked, { token: acme.admin.token })]);
    await held.blocks(2);
    await held.commit();
    const outcome = JSON.stringify((await both).map(({ status }) => status));
    expect(['[200,404]', '[404,204]']).toContain(outcome);
    expect(await roleOf(guest.id)).toBe(outcome === '[200,404]' ? 'viewer' : undefined);
  });

  it('leaves no membership of an account that is deleted concurrently', async () => {
    const id = await insertInvitation(app, acme.id, { userId: guest.id });
    const held = await HeldTransaction.open(app.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [guest.id]);
    const both = Promise.all([accept(id), other.delete('/api/v1/users/me/profile', { token: guest.token })]);
    await held.blocks(2);
    await held.commit();
    const [accepted, deleted] = await both;
    expect([200, 404]).toContain(accepted.status);
    expect(deleted.status).toBe(200);
    expect(await roleOf(guest.id)).toBeUndefined();
  });
});

describe('POST /api/v1/users/me/invitations/{invitationId}/decline', () => {
  it('removes the invitation, once, and lets the organization send another', async () => {
    const id = await insertInvitation(app, acme.id, { userId: guest.id });
    expect((await decline(id, await insertUser(app))).status).toBe(404);
    expect((await decline(id)).status).toBe(204);
    expect((await decline(id)).status).toBe(404);
    expect((await accept(id)).status).toBe(404);
    const json = { userId: guest.id, role: 'viewer' };
    const again = await app.api.post(`/api/v1/organizations/${acme.id}/members`, { token: acme.admin.token, json });
    expect(again.status).toBe(201);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrganizationMember } from '../../../src/scanning/organizations/members.dto.js';
import { insertUser } from '../../support/accounts.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

type MemberPage = { data: OrganizationMember[]; nextCursor: string | null };

let app: TestApp;
let acme: InsertedOrganization;
let token: string;
let path: string;
beforeAll(async () => {
  app = await startTestApp();
});
beforeEach(async () => {
  acme = await insertOrganization(app);
  token = acme.admin.token;
  path = `/api/v1/organizations/${acme.id}/members`;
});
afterAll(() => app.close());

async function roles(): Promise<Record<string, string>> {
  const rows = await app.database.rows<{ id: string; role: string }>(
    'SELECT user_id AS id, role FROM organization_members WHERE organization_id = $1',
    [acme.id],
  );
  return Object.fromEntries(rows.map(({ id, role }) => [id, role]));
}

describe('GET /api/v1/organizations/{organizationId}/members', () => {
  it('lets a viewer list them, newest first, in pages', async () => {
    const first = await app.api.get<MemberPage>(`${path}?size=2`, { token: acme.viewer.token });
    expect(first.status).toBe(200);
    const rest = await app.api.get<MemberPage>(`${path}?size=2&cursor=${first.body.nextCursor}`, {
      token: acme.viewer.token,
    });
    const all = [...first.body.data, ...rest.body.data];
    expect(rest.body.nextCursor).toBeNull();
    expect(new Set(all.map(({ userId }) => userId))).toEqual(
      new Set([acme.admin.userId, acme.member.userId, acme.viewer.userId]),
    );
    const times = all.map(({ createdAt }) => String(createdAt));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(all.find(({ userId }) => userId === acme.viewer.userId)).toEqual({
      userId: acme.viewer.userId,
      username: acme.viewer.username,
      role: 'viewer',
      createdAt: expect.any(String),
    });
  });

  it('responds with 404 to a stranger', async () => {
    const other = await insertOrganization(app);
    expect((await app.api.get(path, { token: other.admin.token })).status).toBe(404);
  });
});

describe('PATCH /api/v1/organizations/{organizationId}/members/{userId}', () => {
  it('changes the role, which takes effect at once', async () => {
    const patched = await app.api.patch(`${path}/${acme.viewer.userId.toUpperCase()}`, {
      token,
      json: { role: 'admin' },
    });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ userId: acme.viewer.userId, username: acme.viewer.username, role: 'admin' });
    const settings = await app.api.patch(`/api/v1/organizations/${acme.id}`, {
      token: acme.viewer.token,
      json: { name: 'Renamed' },
    });
    expect(settings.status).toBe(200);
  });

  it('responds with 409 for the last admin, who keeps the role', async () => {
    const own = `${path}/${acme.admin.userId}`;
    expect((await app.api.patch(own, { token, json: { role: 'member' } })).status).toBe(409);
    expect((await app.api.patch(own, { token, json: { role: 'admin' } })).status).toBe(200);
  });

  it('leaves one admin when two step down concurrently', async () => {
    const second = await acme.join('admin');
    const answers = await Promise.all(
      [acme.admin, second].map((admin) =>
        app.api.patch(`${path}/${admin.userId}`, { token: admin.token, json: { role: 'viewer' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409]);
    expect(Object.values(await roles()).filter((role) => role === 'admin')).toHaveLength(1);
  });

  it('responds with 404 for a user who is not a member', async () => {
    const { id } = await insertUser(app);
    expect((await app.api.patch(`${path}/${id}`, { token, json: { role: 'viewer' } })).status).toBe(404);
  });

  it('responds with 403 to a member', async () => {
    const request = { token: acme.member.token, json: { role: 'admin' } };
    expect((await app.api.patch(`${path}/${acme.member.userId}`, request)).status).toBe(403);
  });
});

describe('DELETE /api/v1/organizations/{organizationId}/members/{userId}', () => {
  it('removes a member with immediate effect', async () => {
    expect((await app.api.delete(`${path}/${acme.member.userId}`, { token })).status).toBe(204);
    expect((await app.api.get(path, { token: acme.member.token })).status).toBe(404);
    expect((await app.api.delete(`${path}/${acme.member.userId}`, { token })).status).toBe(404);
  });

  it('responds with 409 for the last admin', async () => {
    expect((await app.api.delete(`${path}/${acme.admin.userId}`, { token })).status).toBe(409);
  });

  it('leaves one admin when two remove each other concurrently', async () => {
    const second = await acme.join('admin');
    const answers = await Promise.all([
      app.api.delete(`${path}/${second.userId}`, { token }),
      app.api.delete(`${path}/${acme.admin.userId}`, { token: second.token }),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(Object.values(await roles()).filter((role) => role === 'admin')).toHaveLength(1);
  });

  it('keeps the API keys that they made', async () => {
    const second = await acme.join('admin');
    const made = await app.api.post<{ key: string }>(`/api/v1/organizations/${acme.id}/api-keys`, {
      token: second.token,
      json: { name: 'theirs', role: 'viewer' },
    });
    expect((await app.api.delete(`${path}/${second.userId}`, { token })).status).toBe(204);
    const answer = await app.api.get(path, { headers: { 'x-api-key': made.body.key } });
    expect(answer.status).toBe(200);
  });

  it('responds with 403 to a viewer', async () => {
    expect((await app.api.delete(`${path}/${acme.viewer.userId}`, { token: acme.viewer.token })).status).toBe(403);
  });
});

describe('DELETE /api/v1/organizations/{organizationId}/members/me', () => {
  const leave = (who: string) => app.api.delete(`${path}/me`, { token: who });

  it.each(['viewer', 'member'] as const)('lets a %s leave with immediate effect', async (role) => {
    expect((await leave(acme[role].token)).status).toBe(204);
    expect(await roles()).not.toHaveProperty(acme[role].userId);
    expect((await leave(acme[role].token)).status).toBe(404);
  });

  it('lets an admin leave while another one remains, but not the last one', async () => {
    const second = await acme.join('admin');
    expect((await leave(token)).status).toBe(204);
    expect(await leave(second.token)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    expect((await roles())[second.userId]).toBe('admin');
  });

  it('deletes the organization with its only member', async () => {
    const own = await app.api.post<{ id: string }>('/api/v1/organizations', { token, json: { name: 'Own' } });
    await app.api.post('/api/v1/profiles', {
      token,
      headers: { 'x-organization-id': own.body.id },
      json: { name: 'p', scannerKind: 'FRONTEND_DAST', type: 'REST' },
    });
    expect((await app.api.delete(`/api/v1/organizations/${own.body.id}/members/me`, { token })).status).toBe(204);
    for (const [table, column] of [
      ['organizations', 'id'],
      ['profiles', 'organization_id'],
    ]) {
      expect(await app.database.rows(`SELECT FROM ${table} WHERE ${column} = $1`, [own.body.id])).toEqual([]);
    }
    expect(await roles()).toHaveProperty(acme.admin.userId);
  });

  it('responds with 401 to an API key, and 404 to a stranger', async () => {
    const key = { headers: { 'x-api-key': await acme.key('admin') } };
    expect((await app.api.delete(`${path}/me`, key)).status).toBe(401);
    expect((await leave((await insertUser(app)).token)).status).toBe(404);
    expect((await leave((await insertOrganization(app)).admin.token)).status).toBe(404);
  });

  it('leaves one admin when the last two concurrently leave or demote each other', async () => {
    const second = await acme.join('admin');
    const held = await HeldTransaction.open(app.database, 'SELECT FROM organizations WHERE id = $1 FOR UPDATE', [
      acme.id,
    ]);
    const demote = { token: second.token, json: { role: 'viewer' } };
    const answers = Promise.all([
      leave(second.token),
      leave(token),
      app.api.patch(`${path}/${acme.admin.userId}`, demote),
    ]);
    await held.blocks(3);
    await held.commit();
    const admins = Object.values(await (await answers, roles())).filter((role) => role === 'admin');
    expect(admins).toHaveLength(1);
  });
});

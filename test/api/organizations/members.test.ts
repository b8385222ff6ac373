import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrganizationMember, OrganizationMemberPage } from '../../../src/scanning/organizations/members.shapes.js';
import { insertUser } from '../../support/accounts.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let shop: TestApp;
let acme: InsertedOrganization;
let token: string;
let path: string;
beforeAll(async () => {
  shop = await startTestApp();
});
beforeEach(async () => {
  acme = await insertOrganization(shop);
  token = acme.admin.token;
  path = `/api/v1/organizations/${acme.id}/members`;
});
afterAll(() => shop.close());

async function roles(): Promise<Record<string, string>> {
  const rows = await shop.database.rows<{ id: string; role: string }>(
    'SELECT user_id AS id, role FROM organization_members WHERE organization_id = $1',
    [acme.id],
  );
  return Object.fromEntries(rows.map(({ id, role }) => [id, role]));
}

describe('GET /api/v1/organizations/{organizationId}/members', () => {
  it('lets a viewer list them, newest first, in pages', async () => {
    const first = await shop.api.get<OrganizationMemberPage>(`${path}?size=2`, { token: acme.viewer.token });
    expect(first.status).toBe(200);
    const rest = await shop.api.get<OrganizationMemberPage>(`${path}?size=2&cursor=${first.body.nextCursor}`, {
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

  it('answers 404 to a stranger', async () => {
    const other = await insertOrganization(shop);
    expect((await shop.api.get(path, { token: other.admin.token })).status).toBe(404);
  });
});

describe('POST /api/v1/organizations/{organizationId}/members', () => {
  it('adds a user by id', async () => {
    const { id: userId, username } = await insertUser(shop);
    const { status, body } = await shop.api.post(path, { token, json: { userId, role: 'member' } });
    expect(status).toBe(201);
    expect(body).toEqual({ userId, username, role: 'member', createdAt: expect.any(String) });
  });

  it('adds a user by username, without case', async () => {
    const { id, username } = await insertUser(shop);
    const json = { username: username.toUpperCase(), role: 'viewer' };
    const { status, body } = await shop.api.post<OrganizationMember>(path, { token, json });
    expect([status, body.userId, body.username]).toEqual([201, id, username]);
  });

  it.each([
    [{ role: 'viewer' }, ['body', 'userId'], 'missing'],
    [
      { userId: '00000000-0000-7000-8000-000000000000', username: 'both', role: 'viewer' },
      ['body', 'userId'],
      'value_error',
    ],
    [{ username: 'somebody' }, ['body', 'role'], 'missing'],
    [{ username: 'somebody', role: 'owner' }, ['body', 'role'], 'enum'],
    [{ userId: 'nobody', role: 'viewer' }, ['body', 'userId'], 'uuid_parsing'],
  ])('answers 422 for %j', async (json, loc, type) => {
    const { status, body } = await shop.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc, type })]);
  });

  it('answers 404 for an unknown account and a deleted one', async () => {
    const { id } = await insertUser(shop);
    await shop.database.rows('UPDATE users SET deleted_at = now() WHERE id = $1', [id]);
    for (const user of [{ username: 'nobody_at_all' }, { userId: id }]) {
      expect((await shop.api.post(path, { token, json: { ...user, role: 'viewer' } })).status).toBe(404);
    }
  });

  it('answers 409 for a member', async () => {
    const json = { userId: acme.viewer.userId, role: 'admin' };
    expect((await shop.api.post(path, { token, json })).status).toBe(409);
    expect((await roles())[acme.viewer.userId]).toBe('viewer');
  });

  it('adds a user once under ten concurrent requests', async () => {
    const { id: userId } = await insertUser(shop);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => shop.api.post(path, { token, json: { userId, role: 'viewer' } })),
    );
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([
      201,
      ...Array<number>(9).fill(409),
    ]);
  });

  it.each(['viewer', 'member'] as const)('answers 403 to a %s', async (role) => {
    const { id: userId } = await insertUser(shop);
    const json = { userId, role: 'viewer' };
    expect((await shop.api.post(path, { token: acme[role].token, json })).status).toBe(403);
  });
});

describe('PATCH /api/v1/organizations/{organizationId}/members/{userId}', () => {
  it('changes the role, which takes effect at once', async () => {
    const patched = await shop.api.patch(`${path}/${acme.viewer.userId.toUpperCase()}`, {
      token,
      json: { role: 'admin' },
    });
    expect(patched.status).toBe(200);
    expect(patched.body).toMatchObject({ userId: acme.viewer.userId, username: acme.viewer.username, role: 'admin' });
    const settings = await shop.api.patch(`/api/v1/organizations/${acme.id}`, {
      token: acme.viewer.token,
      json: { name: 'Renamed' },
    });
    expect(settings.status).toBe(200);
  });

  it('answers 409 for the last admin, who keeps the role', async () => {
    const own = `${path}/${acme.admin.userId}`;
    expect((await shop.api.patch(own, { token, json: { role: 'member' } })).status).toBe(409);
    expect((await shop.api.patch(own, { token, json: { role: 'admin' } })).status).toBe(200);
  });

  it('leaves one admin where two step down concurrently', async () => {
    const second = await acme.join('admin');
    const answers = await Promise.all(
      [acme.admin, second].map((admin) =>
        shop.api.patch(`${path}/${admin.userId}`, { token: admin.token, json: { role: 'viewer' } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409]);
    expect(Object.values(await roles()).filter((role) => role === 'admin')).toHaveLength(1);
  });

  it('answers 404 for a user who is no member', async () => {
    const { id } = await insertUser(shop);
    expect((await shop.api.patch(`${path}/${id}`, { token, json: { role: 'viewer' } })).status).toBe(404);
  });

  it('answers 403 to a member', async () => {
    const request = { token: acme.member.token, json: { role: 'admin' } };
    expect((await shop.api.patch(`${path}/${acme.member.userId}`, request)).status).toBe(403);
  });
});

describe('DELETE /api/v1/organizations/{organizationId}/members/{userId}', () => {
  it('removes a member with immediate effect', async () => {
    expect((await shop.api.delete(`${path}/${acme.member.userId}`, { token })).status).toBe(204);
    expect((await shop.api.get(path, { token: acme.member.token })).status).toBe(404);
    expect((await shop.api.delete(`${path}/${acme.member.userId}`, { token })).status).toBe(404);
  });

  it('answers 409 for the last admin', async () => {
    expect((await shop.api.delete(`${path}/${acme.admin.userId}`, { token })).status).toBe(409);
  });

  it('leaves one admin where two remove each other concurrently', async () => {
    const second = await acme.join('admin');
    const answers = await Promise.all([
      shop.api.delete(`${path}/${second.userId}`, { token }),
      shop.api.delete(`${path}/${acme.admin.userId}`, { token: second.token }),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(Object.values(await roles()).filter((role) => role === 'admin')).toHaveLength(1);
  });

  it('keeps the API keys that they made', async () => {
    const second = await acme.join('admin');
    const made = await shop.api.post<{ key: string }>(`/api/v1/organizations/${acme.id}/api-keys`, {
      token: second.token,
      json: { name: 'theirs', role: 'viewer' },
    });
    expect((await shop.api.delete(`${path}/${second.userId}`, { token })).status).toBe(204);
    const answer = await shop.api.get(path, { headers: { 'x-api-key': made.body.key } });
    expect(answer.status).toBe(200);
  });

  it('answers 403 to a viewer', async () => {
    expect((await shop.api.delete(`${path}/${acme.viewer.userId}`, { token: acme.viewer.token })).status).toBe(403);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiKeyCreated, ApiKeyPage } from '../../../src/scanning/organizations/api-keys.dto.js';
import { insertOrganization, type InsertedOrganization } from '../../support/organizations.js';
import { eventually } from '../../support/service-copies.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: InsertedOrganization;
let token: string;
let path: string;
beforeAll(async () => {
  app = await startTestApp();
  acme = await insertOrganization(app);
  token = acme.admin.token;
  path = `/api/v1/organizations/${acme.id}/api-keys`;
});
afterAll(() => app.close());

async function make(json: object): Promise<ApiKeyCreated> {
  const { status, body } = await app.api.post<ApiKeyCreated>(path, { token, json });
  expect(status).toBe(201);
  return body;
}

async function statusWith(key: string): Promise<number> {
  const answer = await app.api.get(`/api/v1/organizations/${acme.id}`, { headers: { 'x-api-key': key } });
  return answer.status;
}

describe('POST /api/v1/organizations/{organizationId}/api-keys', () => {
  it('makes a key and returns it only this once', async () => {
    const made = await make({ name: 'CI', role: 'member' });
    expect(made).toEqual({
      id: expect.any(String),
      name: 'CI',
      role: 'member',
      prefix: made.key.slice(0, 12),
      createdAt: expect.any(String),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      createdBy: { userId: acme.admin.userId, username: acme.admin.username, role: 'admin' },
      key: expect.stringMatching(/^ssk_[\w-]{43}$/),
    });
    expect(await statusWith(made.key)).toBe(200);
    const { body } = await app.api.get<ApiKeyPage>(path, { token });
    expect(JSON.stringify(body)).not.toContain(made.key);
  });

  it('stores only a hash of the key', async () => {
    const { key, id } = await make({ name: 'hashed', role: 'viewer' });
    const [row] = await app.database.rows<{ text: string }>(
      'SELECT to_json(k)::text AS text FROM api_keys k WHERE id = $1',
      [id],
    );
    expect(row?.text).not.toContain(key.slice(12));
  });

  it('makes a key that can do no more than its role', async () => {
    const { key } = await make({ name: 'reader', role: 'viewer' });
    const answer = await app.api.patch(`/api/v1/organizations/${acme.id}`, {
      headers: { 'x-api-key': key },
      json: { name: 'Taken over' },
    });
    expect(answer.status).toBe(403);
  });

  it.each(['viewer', 'member'] as const)('responds with 403 to a %s, by token and by key', async (role) => {
    const json = { name: 'more', role: 'admin' };
    expect((await app.api.post(path, { token: acme[role].token, json })).status).toBe(403);
    const headers = { 'x-api-key': await acme.key(role) };
    expect((await app.api.post(path, { headers, json })).status).toBe(403);
  });

  it.each([
    [{ role: 'viewer' }, 'name', 'missing'],
    [{ name: 'x' }, 'role', 'missing'],
    [{ name: 'x', role: 'root' }, 'role', 'enum'],
    [{ name: 'x', role: 'viewer', expiresAt: 'tomorrow' }, 'expiresAt', 'datetime_parsing'],
    [{ name: 'x', role: 'viewer', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 'datetime_future'],
  ])('responds with 422 for %j', async (json, field, type) => {
    const { status, body } = await app.api.post<{ detail: unknown }>(path, { token, json });
    expect(status).toBe(422);
    expect(body.detail).toEqual([expect.objectContaining({ loc: ['body', field], type })]);
  });
});

describe('An API key', () => {
  it('works until it expires', async () => {
    const { key, id, expiresAt } = await make({ name: 'x', role: 'viewer', expiresAt: '2999-01-01T00:00:00Z' });
    expect(expiresAt).toBe('2999-01-01T00:00:00.000Z');
    expect(await statusWith(key)).toBe(200);
    await app.database.rows(`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await statusWith(key)).toBe(401);
  });

  it('shows when it was last used, to the minute', async () => {
    const { key, id } = await make({ name: 'used', role: 'viewer' });
    const lastUsed = async () =>
      (
        await app.database.rows<{ at: Date | null }>('SELECT last_used_at AS at FROM api_keys WHERE id = $1', [id])
      )[0]?.at?.getTime() ?? null;
    await Promise.all(Array.from({ length: 10 }, () => statusWith(key)));
    await eventually(async () => (await lastUsed()) !== null);
    const first = await lastUsed();
    await statusWith(key);
    expect(await lastUsed()).toBe(first);
    await app.database.rows(`UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = $1`, [id]);
    const old = await lastUsed();
    await statusWith(key);
    await eventually(async () => (await lastUsed()) !== old);
    const { body } = await app.api.get<ApiKeyPage>(path, { token });
    expect(body.data.find((one) => one.id === id)?.lastUsedAt).toEqual(expect.any(String));
  });
});

describe('DELETE /api/v1/organizations/{organizationId}/api-keys/{keyId}', () => {
  it('revokes a key with immediate effect and keeps it in the list', async () => {
    const { key, id } = await make({ name: 'leaked', role: 'admin' });
    expect((await app.api.delete(`${path}/${id}`, { token })).status).toBe(204);
    expect(await statusWith(key)).toBe(401);
    const listed = async () =>
      (await app.api.get<ApiKeyPage>(path, { token })).body.data.find((one) => one.id === id)?.revokedAt;
    const revokedAt = await listed();
    expect(revokedAt).toEqual(expect.any(String));
    expect((await app.api.delete(`${path}/${id}`, { token })).status).toBe(204);
    expect(await listed()).toBe(revokedAt);
  });

  it("responds with 404 for another organization's key", async () => {
    const other = await insertOrganization(app);
    const { id, key } = await make({ name: 'ours', role: 'viewer' });
    const theirs = `/api/v1/organizations/${other.id}/api-keys/${id}`;
    expect((await app.api.delete(theirs, { token: other.admin.token })).status).toBe(404);
    expect(await statusWith(key)).toBe(200);
  });

  it('responds with 403 to a member', async () => {
    const { id } = await make({ name: 'kept', role: 'viewer' });
    expect((await app.api.delete(`${path}/${id}`, { token: acme.member.token })).status).toBe(403);
  });
});

describe('GET /api/v1/organizations/{organizationId}/api-keys', () => {
  it('lists newest first, in pages', async () => {
    const { id } = await make({ name: 'newest', role: 'viewer' });
    const first = await app.api.get<ApiKeyPage>(`${path}?size=1`, { token });
    expect(first.body.data.map((key) => key.id)).toEqual([id]);
    const second = await app.api.get<ApiKeyPage>(`${path}?size=1&cursor=${first.body.nextCursor}`, { token });
    expect(second.body.data.map((key) => key.id)).not.toEqual([id]);
  });

  it.each(['viewer', 'member'] as const)('responds with 403 to a %s', async (role) => {
    expect((await app.api.get(path, { token: acme[role].token })).status).toBe(403);
  });
});

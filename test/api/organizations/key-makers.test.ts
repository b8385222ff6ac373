import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKey, ApiKeyCreated, ApiKeyPage } from '../../../src/scanning/organizations/api-keys.dto.js';
import { insertOrganization, type InsertedMember, type InsertedOrganization } from '../../support/organizations.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let acme: InsertedOrganization;
let eve: InsertedMember;
let path: string;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  acme = await insertOrganization(app);
  eve = await acme.join('admin');
  path = `/api/v1/organizations/${acme.id}`;
});

type Proof = { token: string } | { headers: { 'x-api-key': string } };
const withKey = ({ key }: ApiKeyCreated): Proof => ({ headers: { 'x-api-key': key } });

function make(proof: Proof, name = 'CI') {
  return app.api.post<ApiKeyCreated>(`${path}/api-keys`, { ...proof, json: { name, role: 'admin' } });
}

async function made(proof: Proof, name?: string): Promise<ApiKeyCreated> {
  const { status, body } = await make(proof, name);
  expect(status).toBe(201);
  return body;
}

async function listed(): Promise<ApiKey[]> {
  return (await app.api.get<ApiKeyPage>(`${path}/api-keys`, { token: acme.admin.token })).body.data;
}

async function works(key: ApiKeyCreated): Promise<boolean> {
  return (await app.api.get(path, withKey(key))).status === 200;
}

function leave(userId: string, query = '') {
  return app.api.delete(`${path}/members/${userId}${query}`, { token: acme.admin.token });
}

describe('GET /api/v1/organizations/{organizationId}/api-keys, by their makers', () => {
  it('names the maker of each, with their current role', async () => {
    await made({ token: eve.token });
    const { userId, username } = eve;
    expect((await listed())[0]?.createdBy).toEqual({ userId, username, role: 'admin' });
    const json = { role: 'viewer' };
    await app.api.patch(`${path}/members/${userId}`, { token: acme.admin.token, json });
    expect((await listed())[0]?.createdBy).toEqual({ userId, username, role: 'viewer' });
    await leave(userId);
    expect((await listed())[0]?.createdBy).toEqual({ userId, username, role: null });
    await app.api.delete('/api/v1/users/me/profile', { token: eve.token });
    expect((await listed())[0]?.createdBy).toEqual({ userId, username: null, role: null });
  });

  it('names the maker of the first key for a key made with it', async () => {
    const second = await made(withKey(await made({ token: eve.token })));
    expect(second.createdBy).toMatchObject({ userId: eve.userId });
    expect((await made(withKey(second))).createdBy).toMatchObject({ userId: eve.userId });
  });

  it('returns null when the maker is unknown', async () => {
    await acme.key('viewer');
    expect((await listed())[0]?.createdBy).toBeNull();
  });
});

describe('DELETE /api/v1/organizations/{organizationId}/members/{userId}, and their keys', () => {
  it('leaves the keys in force', async () => {
    const key = await made({ token: eve.token });
    expect((await leave(eve.userId)).status).toBe(204);
    expect(await works(key)).toBe(true);
  });

  it('revokes on request all keys that they made, directly or with a key, and no others', async () => {
    const first = await made({ token: eve.token });
    const keys = [first, await made({ token: eve.token }), await made(withKey(first))];
    const others = await made({ token: acme.admin.token });
    expect((await leave(eve.userId, '?revokeKeys=true')).status).toBe(204);
    expect(await Promise.all(keys.map(works))).toEqual([false, false, false]);
    expect(await works(others)).toBe(true);
  });

  it('revokes none when the member stays, as the last admin does', async () => {
    const lonely = await insertOrganization(app);
    const keys = `/api/v1/organizations/${lonely.id}/api-keys`;
    const json = { name: 'kept', role: 'viewer' };
    const { body } = await app.api.post<ApiKeyCreated>(keys, { token: lonely.admin.token, json });
    const gone = `/api/v1/organizations/${lonely.id}/members/${lonely.admin.userId}?revokeKeys=true`;
    expect((await app.api.delete(gone, { token: lonely.admin.token })).status).toBe(409);
    expect((await app.api.get(`/api/v1/organizations/${lonely.id}`, withKey(body))).status).toBe(200);
  });

  it('leaves no key that they or one of their keys make concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const mallory = await acme.join('admin');
      const first = await made({ token: mallory.token });
      const makers = [{ token: mallory.token }, withKey(first)].flatMap((proof) => [proof, proof, proof]);
      const [removed, ...answers] = await Promise.all([
        leave(mallory.userId, '?revokeKeys=true'),
        ...makers.map((proof) => make(proof)),
      ]);
      expect(removed.status).toBe(204);
      for (const { status } of answers) expect([201, 401, 403, 404]).toContain(status);
      const left = (await listed()).filter((key) => key.createdBy?.userId === mallory.userId && !key.revokedAt);
      expect(left).toEqual([]);
    }
  });
});

describe('DELETE /api/v1/organizations/{organizationId}/api-keys?createdBy=', () => {
  const revoke = (userId: string, token = acme.admin.token) =>
    app.api.delete(`${path}/api-keys?createdBy=${userId}`, { token });

  it('revokes the keys of a former member or a deleted account, and returns how many', async () => {
    const keys = [await made({ token: eve.token }), await made({ token: eve.token })];
    await leave(eve.userId);
    await app.api.delete('/api/v1/users/me/profile', { token: eve.token });
    expect(await Promise.all(keys.map(works))).toEqual([true, true]);
    expect(await revoke(eve.userId)).toMatchObject({ status: 200, body: { revoked: 2 } });
    expect(await Promise.all(keys.map(works))).toEqual([false, false]);
    expect(await revoke(eve.userId)).toMatchObject({ status: 200, body: { revoked: 0 } });
  });

  it("leaves another organization's keys alone", async () => {
    const other = await insertOrganization(app);
    const key = await made({ token: eve.token });
    const theirs = `/api/v1/organizations/${other.id}/api-keys?createdBy=${eve.userId}`;
    const answer = await app.api.delete(theirs, { token: other.admin.token });
    expect(answer).toMatchObject({ status: 200, body: { revoked: 0 } });
    expect(await works(key)).toBe(true);
  });

  it('responds with 422 without a maker, and 403 to a member', async () => {
    const all = await app.api.delete(`${path}/api-keys`, { token: acme.admin.token });
    expect(all).toMatchObject({ status: 422, body: { detail: [{ loc: ['query', 'createdBy'], type: 'missing' }] } });
    expect((await revoke(eve.userId, acme.member.token)).status).toBe(403);
  });
});

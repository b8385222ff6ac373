import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { User } from '../../../src/store/users/users.dto.js';
import { insertAdmin, insertUser, type InsertedUser, signUpAdmin } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let otherNode: ApiClient;
let admin: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
  otherNode = (await app.anotherNode()).api;
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.rows(`UPDATE users SET role = 'user'`);
  admin = await insertAdmin(app);
});

const path = '/api/v1/admin/users';

function change(id: string, json: unknown, token = admin.token, api = app.api) {
  return api.put<User>(`${path}/${id}`, { token, json });
}

function remove(id: string, token = admin.token, api = app.api) {
  return api.delete(`${path}/${id}`, { token });
}

async function admins(): Promise<number> {
  const rows = await app.database.rows(`SELECT FROM users WHERE role = 'admin' AND deleted_at IS NULL`);
  return rows.length;
}

describe('GET /api/v1/admin/users', () => {
  it('returns whole accounts, newest first', async () => {
    const newest = await insertUser(app, { created_at: new Date(Date.now() + 60_000), account_credit: 3.25 });
    const { status, body } = await app.api.get<User[]>(path, { token: admin.token });
    expect(status).toBe(200);
    expect(body[0]).toMatchObject({ id: newest.id, email: newest.email, role: 'user', account_credit: 3.25 });
    const times = body.map(({ created_at }) => new Date(created_at).getTime());
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  it('pages by skip and limit', async () => {
    const { body: all } = await app.api.get<User[]>(path, { token: admin.token });
    const { body: some } = await app.api.get<User[]>(`${path}?skip=1&limit=2`, { token: admin.token });
    expect(some).toEqual(all.slice(1, 3));
    expect((await app.api.get(`${path}?limit=-1`, { token: admin.token })).body).toEqual([]);
    expect((await app.api.get(`${path}?skip=-1&limit=100000`, { token: admin.token })).body).toEqual(all);
  });

  it('serves an admin who signed in by password', async () => {
    const { token } = await signUpAdmin(app);
    expect((await app.api.get(path, { token })).status).toBe(200);
  });

  it('responds with 401 without a token and 403 to others', async () => {
    expect((await app.api.get(path)).status).toBe(401);
    const { token } = await insertUser(app);
    expect((await app.api.get(path, { token })).status).toBe(403);
  });
});

describe('PUT /api/v1/admin/users/{user_uuid}', () => {
  it('makes an admin and ends the earlier tokens', async () => {
    const user = await insertUser(app);
    expect(await change(user.id, { role: 'admin' })).toMatchObject({ status: 200, body: { role: 'admin' } });
    expect((await app.api.get('/api/v1/auth/me', { token: user.token })).status).toBe(401);
  });

  it('keeps the tokens if the role stays', async () => {
    const user = await insertUser(app);
    const answer = await change(user.id, { role: 'user', can_be_deleted: false });
    expect(answer).toMatchObject({ status: 200, body: { role: 'user', can_be_deleted: false } });
    expect((await app.api.get('/api/v1/auth/me', { token: user.token })).status).toBe(200);
  });

  it('changes nothing for an empty body and for nulls', async () => {
    const user = await insertUser(app, { can_be_deleted: false });
    for (const json of [{}, { role: null, can_be_deleted: null }]) {
      expect(await change(user.id, json)).toMatchObject({ status: 200, body: { role: 'user', can_be_deleted: false } });
    }
  });

  it('responds with 409 for demoting the last admin', async () => {
    expect(await change(admin.id, { role: 'user' })).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    expect(await admins()).toBe(1);
  });

  it('leaves one admin when two demote each other concurrently on two nodes', async () => {
    for (let round = 0; round < 5; round++) {
      await app.database.rows(`UPDATE users SET role = 'user'`);
      const [one, other] = [await insertAdmin(app), await insertAdmin(app)];
      const answers = await Promise.all([
        change(other.id, { role: 'user' }, one.token),
        change(one.id, { role: 'user' }, other.token, otherNode),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await admins()).toBe(1);
    }
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'nobody'])('responds with 404 for %s', async (id) => {
    expect((await change(id, { role: 'admin' })).status).toBe(404);
  });

  it('responds with 422 for an unknown role and for the word "true"', async () => {
    const { id } = await insertUser(app);
    const { status, body } = await change(id, { role: 'owner', can_be_deleted: 'yes' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ type: 'enum' }, { type: 'bool_type' }] });
  });

  it('responds with 403 to others', async () => {
    const { id, token } = await insertUser(app);
    expect((await change(id, { role: 'admin' }, token)).status).toBe(403);
  });
});

describe('DELETE /api/v1/admin/users/{user_uuid}', () => {
  it('responds with 204 without a body, then 404', async () => {
    const { id } = await insertUser(app);
    expect(await remove(id)).toMatchObject({ status: 204, body: '' });
    expect((await remove(id)).status).toBe(404);
    expect((await app.api.get(`/api/v1/users/${id}`)).status).toBe(404);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'nobody', 'a'.repeat(200)])(
    'responds with 404 for %s',
    async (id) => {
      expect((await remove(id)).status).toBe(404);
    },
  );

  it('responds with 403 if the account cannot be deleted', async () => {
    const { id } = await insertUser(app, { can_be_deleted: false });
    expect(await remove(id)).toMatchObject({ status: 403, body: { code: 'cannot_be_deleted' } });
  });

  it('responds with 403 to others', async () => {
    const [one, other] = [await insertUser(app), await insertUser(app)];
    expect(await remove(other.id, one.token)).toMatchObject({ status: 403, body: { code: 'admin_only' } });
  });

  it('responds with 409 for the last admin', async () => {
    expect(await remove(admin.id)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
  });

  it('deletes another admin', async () => {
    const other = await insertAdmin(app);
    expect((await remove(other.id)).status).toBe(204);
    expect(await admins()).toBe(1);
  });

  it('leaves one admin when five delete one another concurrently on two nodes', async () => {
    await app.database.rows(`UPDATE users SET role = 'user'`);
    const all = await Promise.all(Array.from({ length: 5 }, () => insertAdmin(app)));
    await Promise.all(
      all.flatMap(({ id }, index) =>
        all
          .filter((other) => other.id !== id)
          .map(({ token }, attempt) => remove(id, token, (index + attempt) % 2 === 0 ? app.api : otherNode)),
      ),
    );
    expect(await admins()).toBe(1);
  });
});

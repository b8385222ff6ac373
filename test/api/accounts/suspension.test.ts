import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Account, insertAdmin, insertUser, signUp } from '../../support/accounts.js';
import { auditedBy } from '../../support/audit.js';
import { codeOf } from '../../support/one-time-codes.js';
import { startTestApp } from '../../support/test-app.js';

const app = await startTestApp();
afterAll(() => app.close());
const node = await app.anotherNode();
const admin = await insertAdmin(app);

let user: Account;
beforeEach(async () => {
  user = await signUp(app);
});

const path = () => `/api/v1/admin/users/${user.id}`;
const suspend = (suspended: boolean, id = user.id) =>
  app.api.put(`/api/v1/admin/users/${id}`, { token: admin.token, json: { suspended } });
const login = (api = app.api) => {
  const json = { username: user.username, password: user.password };
  return api.post<{ refresh_token: string; temp_token: string }>('/api/v1/auth/login', { json });
};
const me = (api = app.api) => api.get('/api/v1/auth/me', { token: user.token });

describe('A suspended account', () => {
  it('has no valid tokens or sessions, on all nodes at once, and cannot sign in until that is lifted', async () => {
    const { refresh_token } = (await login()).body;
    expect([(await me()).status, (await me(node.api)).status]).toEqual([200, 200]);
    expect(await suspend(true)).toMatchObject({ status: 200, body: { suspended: true } });
    expect((await me()).body).toMatchObject({ code: 'token_revoked' });
    for (const { api } of [app, node]) {
      expect(await login(api)).toMatchObject({ status: 403, body: { code: 'account_suspended' } });
      const json = { refresh_token };
      expect((await api.post('/api/v1/auth/refresh', { json })).status).toBe(401);
    }
    expect(await suspend(false)).toMatchObject({ status: 200, body: { suspended: false } });
    expect((await login(node.api)).status).toBe(200);
    expect((await me()).status).toBe(401);
  });

  it('is known as such only to who has its password', async () => {
    await suspend(true);
    const json = { username: user.username, password: 'wrong-horse-7' };
    expect((await app.api.post('/api/v1/auth/login', { json })).body).toMatchObject({ code: 'wrong_credentials' });
  });

  it('cannot take the second step of a login either', async () => {
    const { token } = user;
    const { secret } = (await app.api.get<{ secret: string }>('/api/v1/totp/setup', { token })).body;
    await app.api.post('/api/v1/totp/enable', { token, json: { token: codeOf(secret) } });
    const { temp_token } = (await login()).body;
    await suspend(true);
    const json = { temp_token, totp_code: codeOf(secret) };
    expect((await app.api.post('/api/v1/auth/login/totp', { json })).status).toBe(401);
  });

  it('does not count as an admin who is left', async () => {
    const other = await insertAdmin(app);
    await suspend(true, other.id);
    expect(await suspend(true, admin.id)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    const role = { token: admin.token, json: { role: 'user' } };
    expect((await app.api.put(`/api/v1/admin/users/${admin.id}`, role)).status).toBe(409);
  });
});

describe('DELETE /api/v1/admin/users/:user_uuid/sessions', () => {
  it('signs somebody out everywhere, who can sign in again, and is audited with who did it', async () => {
    const { refresh_token } = (await login()).body;
    const end = () => app.api.delete(`${path()}/sessions`, { token: admin.token });
    const entries = await auditedBy(app, async () => expect((await end()).status).toBe(204));
    expect(entries).toMatchObject([{ action: 'user.sessions_ended', actor_id: admin.id, subject_id: user.id }]);
    expect((await me()).status).toBe(401);
    expect((await app.api.post('/api/v1/auth/refresh', { json: { refresh_token } })).status).toBe(401);
    expect((await login()).status).toBe(200);
  });

  it('is for admins, and about accounts that there are', async () => {
    const { token } = await insertUser(app);
    expect((await app.api.delete(`${path()}/sessions`, { token })).status).toBe(403);
    for (const id of [crypto.randomUUID(), 'nobody']) {
      const answer = await app.api.delete(`/api/v1/admin/users/${id}/sessions`, { token: admin.token });
      expect(answer.status).toBe(404);
    }
  });
});

describe('The last admin', () => {
  it('stays, when two suspend each other on two nodes at once', async () => {
    const other = await insertAdmin(app);
    const json = { suspended: true };
    const answers = await Promise.all([
      app.api.put(`/api/v1/admin/users/${other.id}`, { token: admin.token, json }),
      node.api.put(`/api/v1/admin/users/${admin.id}`, { token: other.token, json }),
    ]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
  });
});

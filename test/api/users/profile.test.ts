import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { User } from '../../../src/store/users/users.dto.js';
import { insertAdmin, insertUser, type InsertedUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  maria = await insertUser(app, { first_name: 'Maria', last_name: 'Lopez', bio: 'Likes horses', avatar_url: null });
});

function update(json: unknown, token = maria.token) {
  return app.api.put<User>('/api/v1/users/me/profile', { token, json });
}

async function profile(token = maria.token): Promise<User> {
  return (await app.api.get<User>('/api/v1/users/me/profile', { token })).body;
}

describe('GET /api/v1/users/me/profile', () => {
  it("returns the caller's account", async () => {
    const { status, body } = await app.api.get('/api/v1/users/me/profile', { token: maria.token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: maria.id, email: maria.email, first_name: 'Maria', role: 'user' });
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.get('/api/v1/users/me/profile')).status).toBe(401);
  });
});

describe('PUT /api/v1/users/me/profile', () => {
  it('changes the given fields and leaves the rest', async () => {
    const { status, body } = await update({ last_name: 'García', avatar_url: '/uploads/avatar/a.webp' });
    expect(status).toBe(200);
    expect(body).toMatchObject({ first_name: 'Maria', last_name: 'García', avatar_url: '/uploads/avatar/a.webp' });
    expect(await profile()).toEqual(body);
  });

  it('changes nothing for an empty body', async () => {
    const before = await profile();
    expect(await update({})).toMatchObject({ status: 200, body: before });
  });

  it('clears names, avatar and bio by null, and keeps e-mail and role', async () => {
    const { status, body } = await update({
      first_name: null,
      last_name: null,
      avatar_url: null,
      bio: null,
      email: null,
      role: null,
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ first_name: null, last_name: null, avatar_url: null, bio: null, role: 'user' });
    expect(body.email).toBe(maria.email);
  });

  it('ignores all other fields', async () => {
    const { body } = await update({
      username: 'other',
      id: '00000000-0000-4000-8000-000000000000',
      account_credit: 100,
      referral_count: 7,
      can_be_deleted: false,
      totp_enabled: true,
      token_version: 9,
    });
    expect(body).toMatchObject({ id: maria.id, username: maria.username, account_credit: 0, referral_count: 0 });
    expect(body).toMatchObject({ can_be_deleted: true, totp_enabled: false });
  });

  it('changes the e-mail', async () => {
    const { body } = await update({ email: `new-${maria.email}` });
    expect(body.email).toBe(`new-${maria.email}`);
  });

  it("accepts the account's own e-mail in another case", async () => {
    expect((await update({ email: maria.email.toUpperCase() })).status).toBe(200);
  });

  it("responds with 409 for another account's e-mail, whatever its case, and changes nothing", async () => {
    const other = await insertUser(app);
    const answer = await update({ email: other.email.toUpperCase(), first_name: 'Changed' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    expect((await profile()).first_name).toBe('Maria');
  });

  it('gives an e-mail to one of ten accounts that ask concurrently', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => insertUser(app)));
    const email = `wanted-${maria.email}`;
    const answers = await Promise.all(users.map(({ token }) => update({ email }, token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  const refused: [change: object, type: string][] = [
    [{ email: 'maria@' }, 'value_error'],
    [{ first_name: 'a'.repeat(101) }, 'string_too_long'],
    [{ last_name: 7 }, 'string_type'],
    [{ bio: 'a'.repeat(2_001) }, 'string_too_long'],
    [{ bio: 'a\0b' }, 'string_unicode'],
    [{ avatar_url: 'javascript:alert(1)' }, 'string_pattern_mismatch'],
    [{ avatar_url: `https://a.example/${'a'.repeat(2_048)}` }, 'string_too_long'],
    [{ role: 'owner' }, 'enum'],
  ];
  it.each(refused)('responds with 422 for %j', async (change, type) => {
    const { status, body } = await update(change);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', Object.keys(change)[0]], type }] });
  });
});

describe('PUT /api/v1/users/me/profile with a role', () => {
  it('accepts the same role and keeps the token valid', async () => {
    expect((await update({ role: 'user', bio: 'Still here' })).status).toBe(200);
    expect((await profile()).bio).toBe('Still here');
  });

  it('responds with 403 for another role and changes nothing', async () => {
    const answer = await update({ role: 'admin', bio: 'Changed' });
    expect(answer).toMatchObject({ status: 403, body: { code: 'admin_only' } });
    expect(await profile()).toMatchObject({ role: 'user', bio: 'Likes horses' });
  });

  it('lets an admin step down, which ends the token', async () => {
    const [admin] = [await insertAdmin(app), await insertAdmin(app)];
    const answer = await update({ role: 'user', bio: 'Was an admin' }, admin.token);
    expect(answer).toMatchObject({ status: 200, body: { role: 'user', bio: 'Was an admin' } });
    expect((await app.api.get('/api/v1/auth/me', { token: admin.token })).status).toBe(401);
  });

  it('responds with 409 when the last admin steps down, and changes nothing', async () => {
    const admin = await insertAdmin(app);
    await app.database.rows(`UPDATE users SET role = 'user' WHERE id <> $1`, [admin.id]);
    const answer = await update({ role: 'user', bio: 'Changed' }, admin.token);
    expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    expect(await profile(admin.token)).toMatchObject({ role: 'admin', bio: null });
  });

  it('leaves an admin when six step down concurrently on two nodes', async () => {
    const { api } = await app.anotherNode();
    await app.database.rows(`UPDATE users SET role = 'user'`);
    const admins = await Promise.all(Array.from({ length: 6 }, () => insertAdmin(app)));
    const answers = await Promise.all(
      admins.map(({ token }, index) => {
        const node = index % 2 === 0 ? app.api : api;
        return node.put('/api/v1/users/me/profile', { token, json: { role: 'user' } });
      }),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
    expect(await app.database.rows(`SELECT FROM users WHERE role = 'admin'`)).toHaveLength(1);
  });
});

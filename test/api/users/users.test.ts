import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UserDetail, UserPublic } from '../../../src/store/users/users.dto.js';
import { insertAdmin, insertUser } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  await app.database.rows(
    `INSERT INTO users (id, username, email, password_hash, created_at, deleted_at)
     SELECT gen_random_uuid(), CASE WHEN n <> 13 THEN 'shopper' || n END, CASE WHEN n <> 13 THEN n || '@example.com' END,
            'none', '2020-01-01'::timestamptz + n * interval '1 minute', CASE WHEN n = 13 THEN now() END
       FROM generate_series(1, 1100) AS n`,
  );
});
afterAll(() => app.close());

async function names(query: string): Promise<string[]> {
  const { status, body } = await app.api.get<UserPublic[]>(`/api/v1/users/${query}`);
  expect(status).toBe(200);
  return body.map(({ username }) => username);
}

describe('GET /api/v1/users/', () => {
  it('returns the ten newest, with id and name alone', async () => {
    const { status, body } = await app.api.get<UserPublic[]>('/api/v1/users/');
    expect(status).toBe(200);
    expect(body.map(({ username }) => username)).toEqual(Array.from({ length: 10 }, (_, n) => `shopper${1100 - n}`));
    for (const user of body) expect(Object.keys(user).sort()).toEqual(['id', 'username']);
  });

  it('pages by skip and limit, leaving deleted accounts out', async () => {
    expect(await names('?skip=1085&limit=4')).toEqual(['shopper15', 'shopper14', 'shopper12', 'shopper11']);
    expect(await names('?skip=1098')).toEqual(['shopper1']);
    expect(await names('?skip=1099')).toEqual([]);
  });

  it.each([
    ['?limit=5000', 1000],
    ['?limit=-1', 0],
    ['?limit=0', 0],
    ['?limit=99999999999999999999999', 1000],
    ['?skip=-7', 10],
    ['?skip=99999999999999999999999', 0],
    ['?skip=2&skip=-1&limit=3', 3],
  ])('clamps a page that is out of bounds: %s', async (query, count) => {
    expect(await names(query)).toHaveLength(count);
  });

  it.each(['?limit=many', '?skip=1.5', '?limit='])('responds with 422 for %s', async (query) => {
    const { status, body } = await app.api.get(`/api/v1/users/${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ type: 'int_parsing', loc: ['query', expect.any(String)] }] });
  });

  it('is also served without the trailing slash', async () => {
    expect((await app.api.get('/api/v1/users')).status).toBe(200);
  });
});

describe('GET /api/v1/users/{user_uuid}', () => {
  it('returns the account to everybody, under the contract policy', async () => {
    const { id, username, email } = await insertUser(app, { first_name: 'Maria', account_credit: 12.5 });
    const { status, body } = await app.api.get<UserDetail>(`/api/v1/users/${id}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id,
      username,
      email,
      first_name: 'Maria',
      last_name: null,
      avatar_url: null,
      bio: null,
      account_credit: 12.5,
      referral_count: 0,
      role: 'user',
      created_at: expect.any(String),
      totp_enabled: false,
      can_be_deleted: true,
    });
  });

  it('accepts the id in upper case', async () => {
    const { id } = await insertUser(app);
    expect((await app.api.get(`/api/v1/users/${id.toUpperCase()}`)).status).toBe(200);
  });

  it('takes a broken token for none', async () => {
    const { id } = await insertUser(app);
    expect((await app.api.get(`/api/v1/users/${id}`, { token: 'broken' })).status).toBe(200);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'me', '1', 'a%2Fb', 'a'.repeat(200), "'%20OR%201=1"])(
    'responds with 404 for %s',
    async (id) => {
      expect(await app.api.get(`/api/v1/users/${id}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    },
  );

  it('responds with 422 for a NUL byte', async () => {
    expect((await app.api.get('/api/v1/users/a%00b')).status).toBe(422);
  });

  it('responds with 404 for a deleted account', async () => {
    const { id, token } = await insertUser(app);
    await app.api.delete('/api/v1/users/me/profile', { token });
    expect((await app.api.get(`/api/v1/users/${id}`)).status).toBe(404);
  });
});

describe('GET /api/v1/users/{user_uuid} under the hardened policy', () => {
  let hardened: TestApp;
  beforeAll(async () => {
    hardened = await startTestApp({ env: { ACCESS_POLICY: 'hardened' } });
  });
  afterAll(() => hardened.close());

  it('responds with 401 without a token', async () => {
    const { id } = await insertUser(hardened);
    expect((await hardened.api.get(`/api/v1/users/${id}`)).status).toBe(401);
  });

  it('hides credit and e-mail from strangers', async () => {
    const maria = await insertUser(hardened, { username: 'maria', account_credit: 12.5 });
    const { token } = await insertUser(hardened);
    const { status, body } = await hardened.api.get<UserDetail>(`/api/v1/users/${maria.id}`, { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ username: 'maria', email: 'm***@example.com' });
    expect(body).not.toHaveProperty('account_credit');
  });

  it('shows both to the owner and to an admin', async () => {
    const { id, email, token } = await insertUser(hardened, { account_credit: 12.5 });
    const admin = await insertAdmin(hardened);
    for (const reader of [token, admin.token]) {
      const { body } = await hardened.api.get(`/api/v1/users/${id}`, { token: reader });
      expect(body).toMatchObject({ email, account_credit: 12.5 });
    }
  });
});

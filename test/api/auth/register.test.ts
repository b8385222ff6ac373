import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FirstAdminService } from '../../../src/store/accounts/first-admin.service.js';
import type { User } from '../../../src/store/users/users.dto.js';
import { insertUser, newUsername } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

interface Refused {
  detail: { loc: string[]; type: string; input?: unknown }[];
  code?: string;
}

const password = 'correct horse 7';

function newUser(): { username: string; email: string; password: string } {
  const username = newUsername();
  return { username, email: `${username}@example.com`, password };
}

function register<T = User>(json: unknown, api = app.api) {
  return api.post<T>('/api/v1/auth/register', { json });
}

async function countOf(username: string): Promise<number | undefined> {
  const rows = await app.database.rows<{ count: number }>(
    'SELECT count(*)::integer AS count FROM users WHERE lower(username) = lower($1)',
    [username],
  );
  return rows[0]?.count;
}

async function referralsOf(id: string): Promise<number> {
  return (await app.api.get<User>(`/api/v1/users/${id}`)).body.referral_count;
}

describe('POST /api/v1/auth/register', () => {
  it('responds with 201 with the account, all defaults filled in', async () => {
    const user = newUser();
    const { status, body } = await register(user);
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: user.username,
      email: user.email,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      role: 'user',
      role_source: 'default',
      first_name: null,
      last_name: null,
      avatar_url: null,
      bio: null,
      account_credit: 0,
      referral_count: 0,
      totp_enabled: false,
      can_be_deleted: true,
      email_verified: false,
      suspended: false,
    });
  });

  it('accepts the whole profile', async () => {
    const profile = {
      first_name: 'María',
      last_name: 'O’Brien',
      avatar_url: 'https://pictures.example.com/maria.png',
      bio: 'Likes 🐎.',
    };
    const { body } = await register({ ...newUser(), ...profile });
    expect(body).toMatchObject(profile);
  });

  it('accepts null for optional fields', async () => {
    const nothing = { first_name: null, last_name: null, avatar_url: null, bio: null, referral_code: null };
    expect((await register({ ...newUser(), ...nothing })).status).toBe(201);
  });

  it('makes nobody an admin, whatever is sent', async () => {
    const { body } = await register({ ...newUser(), role: 'admin', can_be_deleted: false, account_credit: 100 });
    expect(body).toMatchObject({ role: 'user', can_be_deleted: true, account_credit: 0 });
  });

  it('makes the cart with the account', async () => {
    const { body } = await register(newUser());
    expect(await app.database.rows('SELECT FROM carts WHERE user_id = $1', [body.id])).toHaveLength(1);
  });

  it('stores the password only as an Argon2id hash', async () => {
    const { body } = await register(newUser());
    const [row] = await app.database.rows<Record<string, unknown>>('SELECT * FROM users WHERE id = $1', [body.id]);
    expect(row?.['password_hash']).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(JSON.stringify(row)).not.toContain(password);
  });

  it('responds with 409 for a taken username, whatever its case', async () => {
    const user = newUser();
    await register(user);
    const again = { ...newUser(), username: user.username.toUpperCase() };
    expect(await register(again)).toMatchObject({ status: 409, body: { code: 'username_taken' } });
  });

  it('responds with 409 for a taken e-mail, whatever its case', async () => {
    const user = newUser();
    await register(user);
    const again = { ...newUser(), email: user.email.toUpperCase() };
    expect(await register(again)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  });

  it('makes one account of twenty concurrent requests for one username on two nodes', async () => {
    const { api } = await app.anotherNode();
    const { username } = newUser();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        register({ ...newUser(), username }, index % 2 === 0 ? app.api : api).then(({ status }) => status),
      ),
    );
    expect(answers.filter((status) => status === 201)).toHaveLength(1);
    expect(answers.filter((status) => status === 409)).toHaveLength(19);
    expect(await countOf(username)).toBe(1);
  });

  it('leaves no cart behind when an account is refused', async () => {
    const user = newUser();
    await register(user);
    await register({ ...newUser(), email: user.email });
    const [counts] = await app.database.rows(
      'SELECT (SELECT count(*) FROM users) = (SELECT count(*) FROM carts) AS equal',
    );
    expect(counts).toEqual({ equal: true });
  });

  it('responds with 422 for each field that is missing', async () => {
    const { status, body } = await register<Refused>({});
    expect(status).toBe(422);
    const missing = body.detail.filter(({ type }) => type === 'missing').map(({ loc }) => loc);
    expect(missing).toEqual(
      expect.arrayContaining([
        ['body', 'username'],
        ['body', 'email'],
        ['body', 'password'],
      ]),
    );
  });

  it('never echoes a password', async () => {
    const { status, body } = await register<Refused>({ ...newUser(), password: 'secret7' });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['body', 'password'], type: 'string_too_short' }]);
    expect(JSON.stringify(body)).not.toContain('secret7');
  });

  const refused: [what: string, change: object, type: string][] = [
    ['a username of 2 characters', { username: 'ab' }, 'string_too_short'],
    ['a username of 51 characters', { username: 'a'.repeat(51) }, 'string_too_long'],
    ['a username with a blank', { username: 'ma ria' }, 'string_pattern_mismatch'],
    ['a username that ends in a line break', { username: 'maria\n' }, 'string_pattern_mismatch'],
    ['a username with other letters', { username: 'marïa' }, 'string_pattern_mismatch'],
    ['a number as username', { username: 12_345 }, 'string_type'],
    ['null as username', { username: null }, 'string_type'],
    ['a broken e-mail', { email: 'maria@' }, 'value_error'],
    ['a password of 7 characters', { password: 'a'.repeat(7) }, 'string_too_short'],
    ['a password of 129 characters', { password: 'a'.repeat(129) }, 'string_too_long'],
    ['a NUL byte in a password', { password: 'correct\0horse' }, 'string_unicode'],
    ['a first name of 101 characters', { first_name: 'a'.repeat(101) }, 'string_too_long'],
    ['a last name of 101 characters', { last_name: 'a'.repeat(101) }, 'string_too_long'],
    ['a bio of 2,001 characters', { bio: 'a'.repeat(2_001) }, 'string_too_long'],
    ['a NUL byte in a bio', { bio: 'a\0b' }, 'string_unicode'],
    ['an avatar that is a script', { avatar_url: 'javascript:alert(1)' }, 'string_pattern_mismatch'],
    ['an avatar without a host', { avatar_url: 'https:///x' }, 'string_pattern_mismatch'],
    ['an avatar with quotes', { avatar_url: 'https://a.example/"onload=' }, 'string_pattern_mismatch'],
  ];
  it.each(refused)('responds with 422 for %s', async (_, change, type) => {
    const { status, body } = await register<Refused>({ ...newUser(), ...change });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['body', Object.keys(change)[0]], type }]);
  });

  const accepted: [what: string, change: object][] = [
    ['a password of 8 characters', { password: 'a'.repeat(8) }],
    ['a password of 128 characters', { password: '🐎'.repeat(128) }],
    ['a name of 100 characters', { first_name: 'a'.repeat(100) }],
    ['a bio of 2,000 characters', { bio: '🐎'.repeat(2_000) }],
    ['a path of an upload as avatar', { avatar_url: '/uploads/avatar/a1-b2.webp' }],
    ['an empty referral code', { referral_code: '' }],
  ];
  it.each(accepted)('accepts %s', async (_, change) => {
    expect((await register({ ...newUser(), ...change })).status).toBe(201);
  });
});

describe('POST /api/v1/auth/register with a reserved username', () => {
  it.each([
    'admin',
    'Admin',
    'ADMIN',
    'a.d.m.i.n',
    '_admin_',
    'root',
    'deleted',
    'system',
    'Support',
    'help-desk',
    'no.reply',
  ])('responds with 422 for %s, and makes no account', async (username) => {
    const { status, body } = await register<Refused>({ ...newUser(), username });
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['body', 'username'], type: 'value_error', input: username }]);
    expect(await countOf(username)).toBe(0);
  });

  it.each(['administer', 'rooted', 'support4u', 'adminah'])('takes %s', async (username) => {
    expect((await register({ ...newUser(), username })).status).toBe(201);
  });

  it('leaves ADMIN_USERNAME to the first admin', async () => {
    const { created } = await app.nest.get(FirstAdminService).ensure({ username: 'admin', email: 'a@example.com' });
    expect([created, await countOf('admin')]).toEqual([true, 1]);
  });
});

describe('POST /api/v1/auth/register with a referral code', () => {
  it('counts the referral, ignoring case', async () => {
    const referrer = await insertUser(app);
    await register({ ...newUser(), referral_code: referrer.username.toUpperCase() });
    expect(await referralsOf(referrer.id)).toBe(1);
  });

  it('responds with 400 for an unknown referrer, and makes no account', async () => {
    const user = newUser();
    const answer = await register({ ...user, referral_code: 'nobody-of-that-name' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'unknown_referral_code' } });
    expect(await countOf(user.username)).toBe(0);
  });

  it('counts nothing when the account is refused', async () => {
    const referrer = await insertUser(app);
    const { username } = await insertUser(app);
    expect((await register({ ...newUser(), username, referral_code: referrer.username })).status).toBe(409);
    expect(await referralsOf(referrer.id)).toBe(0);
  });

  it('counts each of twenty concurrent registrations', async () => {
    const referrer = await insertUser(app);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => register({ ...newUser(), referral_code: referrer.username })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    expect(await referralsOf(referrer.id)).toBe(20);
  });
});

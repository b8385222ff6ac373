import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sha256 } from '../../../src/platform/crypto/digests.js';
import { FirstAdminService } from '../../../src/store/accounts/first-admin.service.js';
import { type Account, newUsername, signUp } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

interface Refused {
  detail: { loc: string[]; msg: string }[];
}
/** Sets a password for an account of this name; returns the answer, or what the service says at its start. */
type Door = (password: string, account: Account) => Promise<{ status: number; body: Refused }>;

let app: TestApp;
let account: Account;
beforeAll(async () => {
  app = await startTestApp();
  account = await signUp(app);
});
afterAll(() => app.close());

async function resetToken({ id, email }: Account): Promise<string> {
  const token = `reset-${Math.random()}`;
  await app.database.rows(
    `INSERT INTO mail_tokens (token_hash, user_id, purpose, email, expires_at)
     VALUES ($1, $2, 'reset', $3, now() + interval '1 hour')`,
    [sha256(token), id, email],
  );
  return token;
}

const doors: Record<string, Door> = {
  'POST /api/v1/auth/register': (password, { username, email }) =>
    app.api.post('/api/v1/auth/register', { json: { username, email, password } }),
  'POST /api/v1/auth/password': (new_password, { token, password: current_password }) =>
    app.api.post('/api/v1/auth/password', { token, json: { current_password, new_password } }),
  'POST /api/v1/auth/password/reset': async (new_password, one) =>
    app.api.post('/api/v1/auth/password/reset', { json: { token: await resetToken(one), new_password } }),
};

describe.each(Object.entries(doors))('%s', (_, open) => {
  it.each([
    ['one of the most common', () => 'Password123'],
    ['the username', () => account.username.toUpperCase()],
    ['the e-mail address', () => account.email],
  ])('refuses %s with a sentence, and does not repeat it', async (_name, passwordOf) => {
    const { status, body } = await open(passwordOf(), account);
    expect(status).toBe(422);
    expect(body.detail).toMatchObject([
      { loc: ['body', expect.stringContaining('password')], msg: expect.any(String) },
    ]);
    expect(JSON.stringify(body)).not.toContain(passwordOf());
  });
});

describe('POST /account/reset', () => {
  it('asks again, with the sentence', async () => {
    const raw = new URLSearchParams({ token: await resetToken(account), new_password: 'password1' });
    const { status, body } = await app.api.post<string>('/account/reset', { raw });
    expect(status).toBe(422);
    expect(body).toContain('one of the most common passwords');
    expect(body).toContain('<form');
  });
});

describe('ADMIN_PASSWORD', () => {
  it('is held to the same, with a sentence that names it', async () => {
    const admin = { username: newUsername(), email: 'a@example.com', password: 'password1' };
    await expect(app.nest.get(FirstAdminService).ensure(admin)).rejects.toThrow('ADMIN_PASSWORD cannot be used');
  });
});

import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Passwords } from '../../../src/platform/crypto/passwords.js';
import type { LoginResponse } from '../../../src/store/auth/auth.dto.js';
import { type Account, insertUser, newUsername, signUp } from '../../support/accounts.js';
import { forwardedFor } from '../../support/auth.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: Account;
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
  maria = await signUp(app);
});
afterAll(() => app.close());

function login(username: string, password: string, address = '127.0.0.1') {
  const headers = forwardedFor(address);
  return app.api.post<LoginResponse>('/api/v1/auth/login', { json: { username, password }, headers });
}

/** How many passwords are compared with hashes while `work` runs. */
async function comparisons(work: () => Promise<unknown>): Promise<number> {
  const passwords = app.nest.get(Passwords);
  const enqueue = passwords.enqueue.bind(passwords);
  const matches = jest.fn<(hash: string | null, password: string) => Promise<boolean>>();
  const spy = jest.spyOn(passwords, 'enqueue').mockImplementation((place, task) =>
    enqueue(place, (hashing) => {
      matches.mockImplementation(hashing.matches);
      return task({ ...hashing, matches });
    }),
  );
  await work().finally(() => spy.mockRestore());
  return matches.mock.calls.length;
}

describe('POST /api/v1/auth/login', () => {
  it('responds with 200 with a token that opens the account', async () => {
    const { status, body } = await login(maria.username, maria.password);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.any(String),
      requires_totp: false,
      temp_token: null,
    });
    const me = await app.api.get('/api/v1/auth/me', { token: body.access_token ?? '' });
    expect(me).toMatchObject({ status: 200, body: { id: maria.id, username: maria.username } });
  });

  it('accepts the username in another case', async () => {
    expect((await login(maria.username.toUpperCase(), maria.password)).status).toBe(200);
  });

  it('responds with 401 for a wrong password and an unknown user alike', async () => {
    const wrong = await login(maria.username, 'wrong horse 7');
    const unknown = await login(newUsername(), maria.password);
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(wrong.body).toEqual({ detail: expect.any(String), code: 'wrong_credentials' });
    expect(unknown.body).toEqual(wrong.body);
    expect(wrong.headers.get('www-authenticate')).toBe('Bearer');
    expect(unknown.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('compares one hash for an unknown user as for a wrong password, so that both take equally long', async () => {
    const address = '203.0.113.9';
    expect(await comparisons(() => login(maria.username, 'wrong horse 7', address))).toBe(1);
    expect(await comparisons(() => login(newUsername(), 'wrong horse 7', address))).toBe(1);
  });

  it('respects the case of the password', async () => {
    expect((await login(maria.username, maria.password.toUpperCase())).status).toBe(401);
  });

  it('responds with 401 for an empty username and password', async () => {
    expect((await login('', '')).status).toBe(401);
  });

  it('responds with 422 for a name and a password of 100,000 characters, and 401 for the longest that are read', async () => {
    expect((await login('a'.repeat(100_000), 'a'.repeat(100_000))).status).toBe(422);
    expect((await login('a'.repeat(255), 'a'.repeat(1_024))).status).toBe(401);
  });

  it('responds with 401 for an account without a usable password hash', async () => {
    const { username } = await insertUser(app);
    expect((await login(username, 'none')).status).toBe(401);
  });

  it('responds with 422 for a NUL byte, without echoing the password', async () => {
    const { status, body } = await login('ma\0ria', 'correct\0horse');
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'username'] }, { loc: ['body', 'password'] }] });
    expect(JSON.stringify(body)).not.toContain('horse');
  });

  it('responds with 422 for a password that is missing or a number', async () => {
    const missing = await app.api.post('/api/v1/auth/login', { json: { username: 'maria' } });
    expect(missing).toMatchObject({ status: 422, body: { detail: [{ type: 'missing', loc: ['body', 'password'] }] } });
    const number = await app.api.post('/api/v1/auth/login', { json: { username: 'maria', password: 12345678 } });
    expect(number).toMatchObject({ status: 422, body: { detail: [{ type: 'string_type' }] } });
    expect(JSON.stringify(number.body)).not.toContain('12345678');
  });

  it('accepts the right password twenty times concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => login(maria.username, maria.password)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
  });

  it('issues a token that another node accepts', async () => {
    const { api } = await app.anotherNode();
    const { body } = await login(maria.username, maria.password);
    expect((await api.get('/api/v1/auth/me', { token: body.access_token ?? '' })).status).toBe(200);
  });
});

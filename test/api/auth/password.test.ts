import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Token } from '../../../src/store/auth/auth.dto.js';
import { type Account, signUp } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: Account;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  maria = await signUp(app);
});

const newPassword = 'another horse 8';

function change(current_password: string, new_password: string, token = maria.token) {
  const json = { current_password, new_password };
  return app.api.post<Token>('/api/v1/auth/password', { token, json });
}

async function login(password: string): Promise<number> {
  const json = { username: maria.username, password };
  return (await app.api.post('/api/v1/auth/login', { json })).status;
}

async function opens(token: string): Promise<boolean> {
  return (await app.api.get('/api/v1/auth/me', { token })).status === 200;
}

describe('POST /api/v1/auth/password', () => {
  it('responds with 200 with a new token and ends the old ones', async () => {
    const { status, body } = await change(maria.password, newPassword);
    expect(status).toBe(200);
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', expires_in: 3600 });
    expect(await opens(body.access_token)).toBe(true);
    expect(await opens(maria.token)).toBe(false);
  });

  it('makes the login accept the new password and no longer the old one', async () => {
    await change(maria.password, newPassword);
    expect(await login(newPassword)).toBe(200);
    expect(await login(maria.password)).toBe(401);
  });

  it('responds with 400 for a wrong current password and changes nothing', async () => {
    const answer = await change('wrong horse 7', newPassword);
    expect(answer).toMatchObject({ status: 400, body: { code: 'wrong_password' } });
    expect(await login(maria.password)).toBe(200);
    expect(await opens(maria.token)).toBe(true);
  });

  it('responds with 401 without a token', async () => {
    expect((await change(maria.password, newPassword, '')).status).toBe(401);
  });

  it('responds with 422 for a new password of 7 characters, without echoing it', async () => {
    const { status, body } = await change(maria.password, 'secret7');
    expect(status).toBe(422);
    expect(body).toMatchObject({ detail: [{ loc: ['body', 'new_password'], type: 'string_too_short' }] });
    expect(JSON.stringify(body)).not.toContain('secret7');
  });

  it('responds with 429 after five wrong passwords, and does not block the login', async () => {
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await change(`wrong ${attempt}`, newPassword)).status).toBe(400);
    const { status, headers } = await change(maria.password, newPassword);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await login(maria.password)).toBe(200);
  });

  it('changes the password once when sent ten times concurrently', async () => {
    const passwords = Array.from({ length: 10 }, (_, index) => `another horse ${index}`);
    const answers = await Promise.all(passwords.map((password) => change(maria.password, password)));
    const winners = answers.map(({ status }, index) => (status === 200 ? index : -1)).filter((index) => index >= 0);
    expect(winners).toHaveLength(1);
    expect(await login(passwords[winners[0] ?? 0] ?? '')).toBe(200);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LoginResponse } from '../../../src/store/auth/auth.dto.js';
import { type Account, signUp } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { forwardedFor, statusesOf } from '../../support/auth.js';
import { allMailsSent, type MailServer, startMailServer } from '../../support/mail-server.js';
import { codeOf, enableTwoFactor, wrongCodeOf } from '../../support/one-time-codes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let server: MailServer;
let app: TestApp;
let otherNode: ApiClient;
beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: { ...server.env, TRUST_PROXY: 'loopback' }, jobs: true });
  otherNode = (await app.anotherNode()).api;
});
afterAll(async () => {
  await app.close();
  await server.close();
});

const network = (number: number): string => `203.0.${Math.floor(number / 250)}.${(number % 250) + 1}`;

async function withTwoFactor() {
  const account = await signUp(app);
  return { ...account, ...(await enableTwoFactor(app, account.token)) };
}

/** Signs in with a password and a code, from an address. */
async function signInFrom(address: string, { username, password }: Account, totp_code: string, api = app.api) {
  const headers = forwardedFor(address);
  const { body } = await api.post<LoginResponse>('/api/v1/auth/login', { json: { username, password }, headers });
  return api.post<{ code?: string }>('/api/v1/auth/login/totp', {
    json: { temp_token: body.temp_token, totp_code },
    headers,
  });
}

const count = (statuses: number[], status: number): number => statuses.filter((one) => one === status).length;

describe('Guesses of codes from one network after another', () => {
  it('at the login are checked twenty times, over two nodes, and the owner is mailed once', async () => {
    const account = await withTwoFactor();
    const wrong = wrongCodeOf(account.secret);
    const statuses = await statusesOf(
      Array.from({ length: 60 }, (_, at) => signInFrom(network(at), account, wrong, at % 2 ? app.api : otherNode)),
    );
    expect([count(statuses, 401), count(statuses, 429)]).toEqual([20, 40]);
    const late = await signInFrom(network(100), account, codeOf(account.secret));
    expect(late).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
    await allMailsSent(app);
    const mails = server.mailsTo(account.email).filter(({ subject }) => subject.includes('is guessing your codes'));
    expect(mails).toHaveLength(1);
  });

  it.each([
    ['totp/verify', (token: string) => ({ token })],
    ['totp/disable', (token: string) => ({ token })],
    ['totp/recovery-codes', (token: string) => ({ token })],
    ['auth/reauthenticate', (totp_code: string) => ({ password: 'correct horse 7', totp_code })],
  ])('with an access token at %s are checked twenty times', async (path, bodyOf) => {
    const account = await withTwoFactor();
    const json = bodyOf(wrongCodeOf(account.secret));
    const send = (at: number) =>
      app.api.post(`/api/v1/${path}`, { token: account.token, json, headers: forwardedFor(network(at)) });
    for (let at = 0; at < 20; at++) expect((await send(at)).status).toBeLessThan(429);
    expect((await send(20)).status).toBe(429);
  });

  it('do not block other accounts, nor the passwords of strangers', async () => {
    const [account, other] = [await withTwoFactor(), await withTwoFactor()];
    const wrong = wrongCodeOf(account.secret);
    for (let at = 0; at < 21; at++) await signInFrom(network(at), account, wrong);
    expect((await signInFrom(network(0), other, codeOf(other.secret))).status).toBe(200);
    const { username, password } = account;
    expect((await app.api.post('/api/v1/auth/login', { json: { username, password } })).status).toBe(200);
  });

  it('are forgotten by a right code, and by a new password', async () => {
    const account = await withTwoFactor();
    const wrong = wrongCodeOf(account.secret);
    for (let at = 0; at < 19; at++) await signInFrom(network(at), account, wrong);
    expect((await signInFrom(network(50), account, codeOf(account.secret, -1))).status).toBe(200);
    for (let at = 100; at < 120; at++) expect((await signInFrom(network(at), account, wrong)).status).toBe(401);
    expect((await signInFrom(network(130), account, codeOf(account.secret))).status).toBe(429);
    const json = { current_password: account.password, new_password: 'another horse 8' };
    const changed = await app.api.post('/api/v1/auth/password', { token: account.token, json });
    expect(changed.status).toBe(200);
    const owner = { ...account, password: json.new_password };
    expect((await signInFrom(network(131), owner, codeOf(account.secret))).status).toBe(200);
  });
});

describe('Guesses of the password by an access token', () => {
  it('are checked twenty times from any number of networks, and the owner is mailed', async () => {
    const { token, email } = await signUp(app);
    const guess = (at: number) =>
      app.api.post('/api/v1/auth/reauthenticate', {
        token,
        json: { password: `guess ${at}` },
        headers: forwardedFor(network(at)),
      });
    for (let at = 0; at < 20; at++) expect((await guess(at)).status).toBe(400);
    expect((await guess(20)).status).toBe(429);
    await allMailsSent(app);
    expect(server.mailsTo(email).map(({ subject }) => subject)).toContain(
      'Somebody in your account is guessing the password',
    );
  });
});

describe('A code that has served', () => {
  it('renews no recovery codes, which a new one does', async () => {
    const account = await withTwoFactor();
    const used = codeOf(account.secret);
    expect((await signInFrom(network(0), account, used)).status).toBe(200);
    const renew = (code: string) =>
      app.api.post<{ code?: string }>('/api/v1/totp/recovery-codes', { token: account.token, json: { token: code } });
    expect(await renew(used)).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    const next = codeOf(account.secret, 1);
    expect((await renew(next)).status).toBe(200);
    expect((await renew(next)).status).toBe(400);
    expect((await signInFrom(network(0), account, next)).status).toBe(401);
  });
});

describe('A recovery code', () => {
  it('is stored by Argon2id, the ten of an account under one salt of its own', async () => {
    const accounts = [await withTwoFactor(), await withTwoFactor()];
    const salts = await Promise.all(
      accounts.map(async ({ id }) => {
        const rows = await app.database.rows<{ code_hash: string }>(
          'SELECT code_hash FROM recovery_codes WHERE user_id = $1',
          [id],
        );
        for (const { code_hash } of rows) expect(code_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
        return [...new Set(rows.map(({ code_hash }) => code_hash.split('$')[4]))];
      }),
    );
    expect(salts.map(({ length }) => length)).toEqual([1, 1]);
    expect(salts[0]).not.toEqual(salts[1]);
  });

  it('signs one of several in that use it at once, on two nodes', async () => {
    const account = await withTwoFactor();
    const [code = ''] = account.recoveryCodes;
    const answers = [app.api, otherNode, app.api, otherNode].map((api, at) =>
      signInFrom(network(at), account, at === 0 ? code : ` ${code.toUpperCase().replaceAll('-', ' ')}`, api),
    );
    expect(await statusesOf(answers)).toEqual([200, 401, 401, 401]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoginResponse } from '../../../src/store/auth/auth.dto.js';
import type { TOTPEnabled, TOTPSetupResponse, TOTPVerified } from '../../../src/store/totp/totp.dto.js';
import { type Account, insertUser, type InsertedUser, signUp } from '../../support/accounts.js';
import { countOf, statusesOf } from '../../support/auth.js';
import { codeOf, enableTwoFactor, wrongCodeOf } from '../../support/one-time-codes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: InsertedUser;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  maria = await insertUser(app);
});

async function setup(): Promise<TOTPSetupResponse> {
  return (await app.api.get<TOTPSetupResponse>('/api/v1/totp/setup', { token: maria.token })).body;
}

function send<T = unknown>(operation: 'enable' | 'disable' | 'verify', code: string, api = app.api) {
  return api.post<T>(`/api/v1/totp/${operation}`, { token: maria.token, json: { token: code } });
}

async function isEnabled(): Promise<boolean> {
  const { body } = await app.api.get<{ enabled: boolean }>('/api/v1/totp/status', { token: maria.token });
  return body.enabled;
}

/** An account with a password and two-factor login, and how to sign in with it. */
async function withPassword() {
  const account = await signUp(app);
  maria = account;
  return { ...(await enableTwoFactor(app, account.token)), login: (code: string) => signInWithCode(account, code) };
}

async function signInWithCode({ username, password }: Account, totp_code: string) {
  const { body } = await app.api.post<LoginResponse>('/api/v1/auth/login', {
    json: { username, password },
  });
  return app.api.post('/api/v1/auth/login/totp', { json: { temp_token: body.temp_token, totp_code } });
}

describe('GET /api/v1/totp/setup', () => {
  it('responds with 200 with a secret and its typed form, and enables nothing yet', async () => {
    const { status, body, headers } = await app.api.get<TOTPSetupResponse>('/api/v1/totp/setup', {
      token: maria.token,
    });
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(body.manual_entry_key).toMatch(/^[A-Z2-7]{4}( [A-Z2-7]{4}){7}$/);
    expect(body.manual_entry_key.replaceAll(' ', '')).toBe(body.secret);
    expect(body.qr_code).toMatch(/^data:image\/png;base64,/);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(await isEnabled()).toBe(false);
  });

  it('keeps the secret sealed', async () => {
    const { secret } = await setup();
    const [row] = await app.database.rows<{ totp_secret: string }>('SELECT totp_secret FROM users WHERE id = $1', [
      maria.id,
    ]);
    expect(row?.totp_secret).toMatch(/^v1\./);
    expect(row?.totp_secret).not.toContain(secret);
  });

  it('returns another secret each time, and the last one counts', async () => {
    const [first, second] = [await setup(), await setup()];
    expect(second.secret).not.toBe(first.secret);
    expect((await send('enable', codeOf(first.secret))).status).toBe(400);
    expect((await send('enable', codeOf(second.secret))).status).toBe(200);
  });

  it('responds with 409 while enabled, and keeps the secret', async () => {
    const { secret } = await enableTwoFactor(app, maria.token);
    const answer = await app.api.get('/api/v1/totp/setup', { token: maria.token });
    expect(answer).toMatchObject({ status: 409, body: { code: 'totp_already_enabled' } });
    expect(await send('verify', codeOf(secret))).toMatchObject({ body: { valid: true } });
  });

  it('responds with 401 without a token', async () => {
    expect((await app.api.get('/api/v1/totp/setup')).status).toBe(401);
  });
});

describe('POST /api/v1/totp/enable', () => {
  it('responds with 200 with ten recovery codes and enables', async () => {
    const { secret } = await setup();
    const { status, body } = await send<TOTPEnabled>('enable', codeOf(secret));
    expect(status).toBe(200);
    expect(body).toEqual({ enabled: true, message: expect.any(String), recovery_codes: expect.any(Array) });
    expect(new Set(body.recovery_codes).size).toBe(10);
    expect(await isEnabled()).toBe(true);
    const me = await app.api.get('/api/v1/auth/me', { token: maria.token });
    expect(me).toMatchObject({ status: 200, body: { totp_enabled: true } });
  });

  it('stores the recovery codes only as hashes by Argon2id', async () => {
    const { recoveryCodes } = await enableTwoFactor(app, maria.token);
    const rows = await app.database.rows<{ code_hash: string }>(
      'SELECT code_hash FROM recovery_codes WHERE user_id = $1',
      [maria.id],
    );
    expect(rows).toHaveLength(10);
    for (const { code_hash } of rows) expect(code_hash).toMatch(/^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/);
    for (const code of recoveryCodes) {
      expect(JSON.stringify(rows)).not.toContain(code);
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''));
    }
  });

  it('responds with 400 without a setup', async () => {
    expect(await send('enable', '123456')).toMatchObject({ status: 400, body: { code: 'totp_not_set_up' } });
  });

  it('responds with 400 for a wrong code and stays off', async () => {
    const { secret } = await setup();
    expect(await send('enable', wrongCodeOf(secret))).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    expect(await isEnabled()).toBe(false);
  });

  it('responds with 409 when enabled already', async () => {
    const { secret } = await enableTwoFactor(app, maria.token);
    expect(await send('enable', codeOf(secret))).toMatchObject({
      status: 409,
      body: { code: 'totp_already_enabled' },
    });
  });

  it('enables once for eight concurrent requests on two nodes', async () => {
    const { api } = await app.anotherNode();
    const code = codeOf((await setup()).secret);
    const answers = Array.from({ length: 8 }, (_, index) => send('enable', code, index % 2 === 0 ? app.api : api));
    expect(await countOf(answers, 200)).toBe(1);
    expect(await app.database.rows('SELECT FROM recovery_codes WHERE user_id = $1', [maria.id])).toHaveLength(10);
  });

  it('responds with 422 without a code and for a number', async () => {
    const { token } = maria;
    expect((await app.api.post('/api/v1/totp/enable', { token, json: {} })).status).toBe(422);
    const number = await app.api.post('/api/v1/totp/enable', { token, json: { token: 123_456 } });
    expect(number).toMatchObject({ status: 422, body: { detail: [{ type: 'string_type' }] } });
    expect(JSON.stringify(number.body)).not.toContain('123456');
  });
});

describe('POST /api/v1/totp/disable', () => {
  it('responds with 200 and disables', async () => {
    const { secret } = await enableTwoFactor(app, maria.token);
    const { status, body } = await send('disable', codeOf(secret));
    expect(status).toBe(200);
    expect(body).toEqual({ enabled: false, message: expect.any(String) });
    expect(await isEnabled()).toBe(false);
  });

  it('accepts the current code even after its one login', async () => {
    const { secret, login } = await withPassword();
    const code = codeOf(secret);
    expect((await login(code)).status).toBe(200);
    expect((await login(code)).status).toBe(401);
    expect((await send('disable', code)).status).toBe(200);
    expect(await isEnabled()).toBe(false);
  });

  it('responds with 400 for a recovery code used at a login', async () => {
    const { recoveryCodes, login } = await withPassword();
    const used = recoveryCodes[0] ?? '';
    expect((await login(used)).status).toBe(200);
    expect(await send('disable', used)).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    expect(await isEnabled()).toBe(true);
  });

  it('leaves no secret and no recovery codes', async () => {
    const { secret } = await enableTwoFactor(app, maria.token);
    await send('disable', codeOf(secret));
    const left = await app.database.rows(
      `SELECT FROM users WHERE id = $1 AND totp_secret IS NOT NULL
       UNION ALL SELECT FROM recovery_codes WHERE user_id = $1`,
      [maria.id],
    );
    expect(left).toHaveLength(0);
  });

  it('accepts a recovery code, in case the device is lost', async () => {
    const { recoveryCodes } = await enableTwoFactor(app, maria.token);
    expect((await send('disable', recoveryCodes[3] ?? '')).status).toBe(200);
  });

  it('responds with 400 for a wrong code and stays on', async () => {
    const { secret } = await enableTwoFactor(app, maria.token);
    expect(await send('disable', wrongCodeOf(secret))).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    expect(await isEnabled()).toBe(true);
  });

  it('responds with 400 when not enabled', async () => {
    const { secret } = await setup();
    expect(await send('disable', codeOf(secret))).toMatchObject({ status: 400, body: { code: 'totp_not_enabled' } });
  });

  it('lets a new setup be enabled in the same time step', async () => {
    const { secret } = await enableTwoFactor(app, maria.token);
    await send('disable', codeOf(secret));
    await enableTwoFactor(app, maria.token);
    expect(await isEnabled()).toBe(true);
  });
});

describe('POST /api/v1/totp/verify', () => {
  it('responds with 200 and true for the code of a secret that is set up or enabled', async () => {
    const { secret } = await setup();
    expect(await send('verify', codeOf(secret))).toMatchObject({ status: 200, body: { valid: true } });
    await send('enable', codeOf(secret));
    expect(await send('verify', codeOf(secret))).toMatchObject({ status: 200, body: { valid: true } });
  });

  it('responds with 200 and false for a wrong code, a recovery code, and without a setup', async () => {
    expect(await send('verify', '123456')).toMatchObject({ status: 200, body: { valid: false } });
    const { secret, recoveryCodes } = await enableTwoFactor(app, maria.token);
    expect(await send('verify', wrongCodeOf(secret))).toMatchObject({ status: 200, body: { valid: false } });
    expect(await send('verify', recoveryCodes[0] ?? '')).toMatchObject({ status: 200, body: { valid: false } });
  });

  it('uses up no code', async () => {
    const { secret } = await enableTwoFactor(app, maria.token);
    const code = codeOf(secret);
    await send('verify', code);
    await send('verify', code);
    expect((await send('disable', code)).status).toBe(200);
  });

  it('accepts thirty concurrent right codes', async () => {
    const { secret } = await setup();
    const answers = Array.from({ length: 30 }, () => send<TOTPVerified>('verify', codeOf(secret)));
    const valid = (await Promise.all(answers)).filter(({ body }) => body.valid);
    expect(valid).toHaveLength(30);
  });

  it('checks five of forty concurrent wrong codes on two nodes', async () => {
    const { api } = await app.anotherNode();
    const wrong = wrongCodeOf((await setup()).secret);
    const attempts = Array.from({ length: 40 }, (_, index) => send('verify', wrong, index % 2 === 0 ? app.api : api));
    expect(await statusesOf(attempts)).toEqual([...Array<number>(5).fill(200), ...Array<number>(35).fill(429)]);
  });
});

describe('Wrong codes at enable, disable and verify', () => {
  it('are counted together: after five, right codes get 429 with Retry-After too', async () => {
    const { secret } = await setup();
    const wrong = wrongCodeOf(secret);
    expect(await countOf([send('enable', wrong), send('enable', wrong)], 400)).toBe(2);
    await send('verify', wrong);
    expect((await send('enable', codeOf(secret))).status).toBe(200);
    for (let attempt = 0; attempt < 3; attempt++) expect((await send('disable', wrong)).status).toBe(400);
    for (let attempt = 0; attempt < 2; attempt++) expect((await send('verify', wrong)).status).toBe(200);
    const { status, headers } = await send('disable', codeOf(secret));
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are not cleared by a right one at verify', async () => {
    const { secret } = await setup();
    for (let attempt = 0; attempt < 4; attempt++) await send('verify', wrongCodeOf(secret));
    expect(await send('verify', codeOf(secret))).toMatchObject({ body: { valid: true } });
    await send('verify', wrongCodeOf(secret));
    expect((await send('verify', codeOf(secret))).status).toBe(429);
  });

  it('do not block another account', async () => {
    const { secret } = await setup();
    for (let attempt = 0; attempt < 5; attempt++) await send('verify', wrongCodeOf(secret));
    maria = await insertUser(app);
    await enableTwoFactor(app, maria.token);
    expect(await isEnabled()).toBe(true);
  });
});

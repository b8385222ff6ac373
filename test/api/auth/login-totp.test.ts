import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoginResponse, Token } from '../../../src/store/auth/auth.dto.js';
import { type Account, signUp } from '../../support/accounts.js';
import { countOf, forwardedFor, statusesOf } from '../../support/auth.js';
import { codeOf, enableTwoFactor, type TwoFactor, wrongCodeOf } from '../../support/one-time-codes.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: Account;
let twoFactor: TwoFactor;
beforeAll(async () => {
  app = await startTestApp({ env: { TRUST_PROXY: 'loopback' } });
});
afterAll(() => app.close());
beforeEach(async () => {
  maria = await signUp(app);
  twoFactor = await enableTwoFactor(app, maria.token);
});

async function firstStep(): Promise<string> {
  const json = { username: maria.username, password: maria.password };
  return (await app.api.post<LoginResponse>('/api/v1/auth/login', { json })).body.temp_token ?? '';
}

function secondStep<T = Token>(temp_token: string, totp_code: string, address = '127.0.0.1', api = app.api) {
  const json = { temp_token, totp_code };
  return api.post<T>('/api/v1/auth/login/totp', { json, headers: forwardedFor(address) });
}

describe('POST /api/v1/auth/login with two-factor login', () => {
  it('returns a temporary token and no access token', async () => {
    const json = { username: maria.username, password: maria.password };
    const { status, body } = await app.api.post('/api/v1/auth/login', { json });
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: null,
      token_type: 'bearer',
      requires_totp: true,
      temp_token: expect.any(String),
    });
  });

  it('returns a temporary token that does not work as an access token', async () => {
    const { status } = await app.api.get('/api/v1/auth/me', { token: await firstStep() });
    expect(status).toBe(401);
  });

  it('stores the temporary token only as a digest', async () => {
    const temp = await firstStep();
    const rows = await app.database.rows('SELECT * FROM login_challenges');
    expect(rows).not.toHaveLength(0);
    expect(JSON.stringify(rows)).not.toContain(temp);
  });

  it('deletes expired challenges', async () => {
    await firstStep();
    await app.database.rows(`UPDATE login_challenges SET expires_at = now() - interval '1 second'`);
    await firstStep();
    expect(await app.database.rows('SELECT FROM login_challenges WHERE expires_at < now()')).toHaveLength(0);
  });
});

describe('POST /api/v1/auth/login/totp', () => {
  it('responds with 200 with a token that opens the account', async () => {
    const { status, body } = await secondStep(await firstStep(), codeOf(twoFactor.secret));
    expect(status).toBe(200);
    const session = { refresh_token: expect.any(String), expires_in: 3600 };
    expect(body).toEqual({ access_token: expect.any(String), token_type: 'bearer', ...session });
    expect(await app.api.get('/api/v1/auth/me', { token: body.access_token })).toMatchObject({
      status: 200,
      body: { id: maria.id, totp_enabled: true },
    });
  });

  it('accepts the second step on another node than the first', async () => {
    const { api } = await app.anotherNode();
    expect((await secondStep(await firstStep(), codeOf(twoFactor.secret), '127.0.0.1', api)).status).toBe(200);
  });

  it('accepts the codes of the neighbouring time steps', async () => {
    expect((await secondStep(await firstStep(), codeOf(twoFactor.secret, 1))).status).toBe(200);
  });

  it('responds with 401 for the codes of time steps further away', async () => {
    for (const steps of [-3, 3]) {
      expect((await secondStep(await firstStep(), codeOf(twoFactor.secret, steps))).status).toBe(401);
    }
  });

  it('accepts a code with a blank in the middle', async () => {
    const code = codeOf(twoFactor.secret);
    expect((await secondStep(await firstStep(), `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
  });

  it.each(['', '12345', '1234567', 'abcdef', '１２３４５６', '-12345'])(
    'responds with 401 for the code "%s"',
    async (code) => {
      expect(await secondStep(await firstStep(), code)).toMatchObject({ status: 401, body: { code: 'wrong_code' } });
    },
  );

  it('lets a wrong code be corrected', async () => {
    const temp = await firstStep();
    expect((await secondStep(temp, wrongCodeOf(twoFactor.secret))).status).toBe(401);
    expect((await secondStep(temp, codeOf(twoFactor.secret))).status).toBe(200);
  });

  it('accepts a code once', async () => {
    const code = codeOf(twoFactor.secret);
    expect((await secondStep(await firstStep(), code)).status).toBe(200);
    expect((await secondStep(await firstStep(), code)).status).toBe(401);
  });

  it('refuses a code older than the last one accepted', async () => {
    expect((await secondStep(await firstStep(), codeOf(twoFactor.secret, 1))).status).toBe(200);
    expect((await secondStep(await firstStep(), codeOf(twoFactor.secret))).status).toBe(401);
  });

  it('accepts the same code in one of four concurrent logins on two nodes', async () => {
    const { api } = await app.anotherNode();
    const temps = await Promise.all(Array.from({ length: 4 }, firstStep));
    const code = codeOf(twoFactor.secret);
    const logins = temps.map((temp, index) => secondStep(temp, code, '127.0.0.1', index % 2 === 0 ? app.api : api));
    expect(await countOf(logins, 200)).toBe(1);
  });

  it('accepts a temporary token once, even with two codes concurrently', async () => {
    const temp = await firstStep();
    const [one = '', other = ''] = twoFactor.recoveryCodes;
    expect(await countOf([secondStep(temp, one), secondStep(temp, other)], 200)).toBe(1);
    expect(await secondStep(temp, codeOf(twoFactor.secret))).toMatchObject({
      status: 401,
      body: { code: 'login_ended' },
    });
  });

  it('responds with 401 for a temporary token that was never issued', async () => {
    expect((await secondStep('made-up', codeOf(twoFactor.secret))).status).toBe(401);
  });

  it('responds with 401 for an access token instead of the temporary one', async () => {
    expect((await secondStep(maria.token, codeOf(twoFactor.secret))).status).toBe(401);
  });

  it('responds with 401 once the temporary token is five minutes old', async () => {
    const temp = await firstStep();
    const [left] = await app.database.rows<{ seconds: number }>(
      `SELECT extract(epoch FROM max(expires_at) - now())::float AS seconds FROM login_challenges WHERE user_id = $1`,
      [maria.id],
    );
    expect(left?.seconds).toBeLessThanOrEqual(300);
    expect(left?.seconds).toBeGreaterThan(280);
    await app.database.rows(`UPDATE login_challenges SET expires_at = now() WHERE user_id = $1`, [maria.id]);
    expect((await secondStep(temp, codeOf(twoFactor.secret))).status).toBe(401);
  });

  it('responds with 401 for every code after five wrong ones, from whatever address', async () => {
    const temp = await firstStep();
    for (let attempt = 1; attempt <= 5; attempt++) {
      expect((await secondStep(temp, wrongCodeOf(twoFactor.secret), `203.0.113.${attempt}`)).status).toBe(401);
    }
    const { status, body } = await secondStep(temp, codeOf(twoFactor.secret), '203.0.113.6');
    expect(status).toBe(401);
    expect(body).toMatchObject({ code: 'login_ended' });
  });

  it('checks five of forty concurrent codes from as many addresses', async () => {
    const temp = await firstStep();
    const attempts = Array.from({ length: 40 }, (_, index) =>
      secondStep<{ code: string }>(temp, wrongCodeOf(twoFactor.secret), `203.0.113.${index}`),
    );
    const codes = (await Promise.all(attempts)).map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'wrong_code')).toHaveLength(5);
    expect(codes.filter((code) => code === 'login_ended')).toHaveLength(35);
  });

  it('responds with 429 and Retry-After after five wrong codes from one address, with new temporary tokens too', async () => {
    const temps = await Promise.all([firstStep(), firstStep()]);
    for (let attempt = 0; attempt < 5; attempt++) {
      expect((await secondStep(temps[attempt % 2] ?? '', wrongCodeOf(twoFactor.secret))).status).toBe(401);
    }
    const { status, headers } = await secondStep(temps[0], codeOf(twoFactor.secret));
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    const json = { username: maria.username, password: maria.password };
    expect((await app.api.post('/api/v1/auth/login', { json })).status).toBe(429);
  });

  it('checks five of forty concurrent codes from one address', async () => {
    const temps = await Promise.all(Array.from({ length: 4 }, firstStep));
    const attempts = Array.from({ length: 40 }, (_, index) =>
      secondStep(temps[index % 4] ?? '', wrongCodeOf(twoFactor.secret)),
    );
    expect(await statusesOf(attempts)).toEqual([...Array<number>(5).fill(401), ...Array<number>(35).fill(429)]);
  });

  it('responds with 401 if the password was changed in between', async () => {
    const temp = await firstStep();
    const json = { current_password: maria.password, new_password: 'another horse 8' };
    await app.api.post('/api/v1/auth/password', { token: maria.token, json });
    expect((await secondStep(temp, codeOf(twoFactor.secret))).status).toBe(401);
  });

  it('responds with 401 if two-factor login was disabled in between', async () => {
    const temp = await firstStep();
    const json = { token: codeOf(twoFactor.secret) };
    await app.api.post('/api/v1/totp/disable', { token: maria.token, json });
    expect((await secondStep(temp, codeOf(twoFactor.secret, 1))).status).toBe(401);
  });

  it('responds with 422 without the fields, and never echoes them', async () => {
    const json = { temp_token: 12_345_678, totp_code: 87_654_321 };
    const { status, body } = await app.api.post('/api/v1/auth/login/totp', { json });
    expect(status).toBe(422);
    expect(JSON.stringify(body)).not.toMatch(/12345678|87654321/);
    expect((await app.api.post('/api/v1/auth/login/totp', { json: {} })).status).toBe(422);
  });
});

describe('POST /api/v1/auth/login/totp with a recovery code', () => {
  it('accepts each code once', async () => {
    const [code = ''] = twoFactor.recoveryCodes;
    expect((await secondStep(await firstStep(), code)).status).toBe(200);
    expect((await secondStep(await firstStep(), code)).status).toBe(401);
    expect((await secondStep(await firstStep(), twoFactor.recoveryCodes[1] ?? '')).status).toBe(200);
  });

  it('accepts the same code in one of four concurrent logins', async () => {
    const [code = ''] = twoFactor.recoveryCodes;
    const temps = await Promise.all(Array.from({ length: 4 }, firstStep));
    const logins = temps.map((temp) => secondStep(temp, code));
    expect(await countOf(logins, 200)).toBe(1);
  });

  it('accepts it without dashes and in upper case', async () => {
    const code = (twoFactor.recoveryCodes[0] ?? '').replaceAll('-', '').toUpperCase();
    expect((await secondStep(await firstStep(), code)).status).toBe(200);
  });

  it('refuses the code of another account', async () => {
    const other = await enableTwoFactor(app, (await signUp(app)).token);
    expect((await secondStep(await firstStep(), other.recoveryCodes[0] ?? '')).status).toBe(401);
  });
});

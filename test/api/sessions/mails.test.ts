import { afterAll, describe, expect, it } from '@jest/globals';
import type { LoginResponse } from '../../../src/store/auth/auth.dto.js';
import { insertAdmin, insertUser, signUp } from '../../support/accounts.js';
import { allMailsSent, startMailServer } from '../../support/mail-server.js';
import { codeOf, enableTwoFactor, wrongCodeOf } from '../../support/one-time-codes.js';
import { beginSession, refresh } from '../../support/sessions.js';
import { startTestApp } from '../../support/test-app.js';

const mailServer = await startMailServer();
const app = await startTestApp({ env: mailServer.env, jobs: true });
const admin = await insertAdmin(app);
afterAll(async () => {
  await app.close();
  await mailServer.close();
});

const { api } = app;

/** All mails to an address, once none is being sent. */
async function mailsTo(address: string) {
  await allMailsSent(app);
  return mailServer.mailsTo(address);
}

describe('A mail to the owner', () => {
  it('reports a login on a new device, but neither the first one nor one on a known device', async () => {
    const user = await insertUser(app);
    for (const device of ['Firefox on Linux', 'Firefox on Linux', 'Chrome on Windows', 'Chrome on Windows']) {
      await beginSession(app, user, device);
    }
    const [mail, ...others] = await mailsTo(user.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('A new device has signed in to your account');
    expect(mail?.text).toContain('Chrome on Windows');
    expect(mail?.text).toContain('127.0.0.1');
  });

  it('reaches an unconfirmed address only so often an hour, and a confirmed one always', async () => {
    const [stranger, owner] = [await insertUser(app), await insertUser(app)];
    await app.database.rows('UPDATE users SET email_verified = true WHERE id = $1', [owner.id]);
    for (let n = 0; n < 13; n++) {
      await beginSession(app, stranger, `Phone ${n}`);
      await beginSession(app, owner, `Phone ${n}`);
    }
    expect(await mailsTo(stranger.email)).toHaveLength(10);
    expect(await mailsTo(owner.email)).toHaveLength(12);
  });

  it('reports once that a session was ended because its token was reused', async () => {
    const session = await beginSession(app);
    await refresh(api, session.refresh);
    await app.database.rows(`UPDATE sessions SET rotated_at = rotated_at - interval '10 seconds' WHERE id = $1`, [
      session.id,
    ]);
    await Promise.all([refresh(api, session.refresh), refresh(api, session.refresh)]);
    const [mail, ...others] = await mailsTo(session.user.email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('A session of your account was ended');
    expect(mail?.raw).not.toContain('srt_');
  });
});

describe('POST /api/v1/admin/users/{user_uuid}/totp/reset', () => {
  const reset = (id: string, token = admin.token) => api.post(`/api/v1/admin/users/${id}/totp/reset`, { token });

  it('lets the owner sign in with the password alone, and tells them by mail', async () => {
    const { id, username, password, email, token } = await signUp(app);
    const { recoveryCodes } = await enableTwoFactor(app, token);
    expect((await reset(id)).status).toBe(204);
    await mailServer.mailTo(email, 'Two-factor login was turned off for your account');
    const login = await api.post<LoginResponse>('/api/v1/auth/login', { json: { username, password } });
    expect(login.body).toMatchObject({ requires_totp: false, access_token: expect.any(String) });
    expect(recoveryCodes).toHaveLength(10);
    expect(await app.database.rows('SELECT FROM recovery_codes WHERE user_id = $1', [id])).toEqual([]);
  });

  it('responds with 404 for an unknown account, 409 when two-factor login is off, and 403 to everyone but admins', async () => {
    const user = await insertUser(app);
    expect(await reset('0199a001-0000-7000-8000-000000000011')).toMatchObject({ status: 404 });
    expect(await reset('nobody')).toMatchObject({ status: 404 });
    expect(await reset(user.id)).toMatchObject({ status: 409, body: { code: 'totp_not_enabled' } });
    expect(await reset(user.id, user.token)).toMatchObject({ status: 403, body: { code: 'admin_only' } });
  });
});

describe('POST /api/v1/totp/recovery-codes', () => {
  const renew = (token: string, code: string) =>
    api.post<{ recovery_codes: string[] }>('/api/v1/totp/recovery-codes', { token, json: { token: code } });

  it('returns ten new codes for a code of the app; they work at login, and the old ones no longer do', async () => {
    const { username, password, token } = await signUp(app);
    const { secret, recoveryCodes: old } = await enableTwoFactor(app, token);
    const { status, body } = await renew(token, codeOf(secret));
    expect(status).toBe(200);
    expect(body.recovery_codes).toHaveLength(10);
    expect(body.recovery_codes.filter((code) => old.includes(code))).toEqual([]);
    const json = { username, password };
    const { temp_token } = (await api.post<LoginResponse>('/api/v1/auth/login', { json })).body;
    const signIn = (totp_code: unknown) => api.post('/api/v1/auth/login/totp', { json: { temp_token, totp_code } });
    expect((await signIn(old[0])).status).toBe(401);
    expect((await signIn(body.recovery_codes[0])).status).toBe(200);
  });

  it('responds with 400 for a wrong code and a recovery code, and 429 after five', async () => {
    const user = await insertUser(app);
    const { secret, recoveryCodes } = await enableTwoFactor(app, user.token);
    expect(await renew(user.token, String(recoveryCodes[0]))).toMatchObject({
      status: 400,
      body: { code: 'wrong_code' },
    });
    for (let n = 0; n < 4; n++) expect((await renew(user.token, wrongCodeOf(secret))).status).toBe(400);
    expect((await renew(user.token, codeOf(secret))).status).toBe(429);
  });

  it('responds with 400 when two-factor login is off', async () => {
    const user = await insertUser(app);
    expect((await renew(user.token, '123456')).body).toMatchObject({ code: 'totp_not_enabled' });
  });
});

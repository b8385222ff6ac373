import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccessTokens } from '../../../src/platform/auth/access-tokens.js';
import { insertUser, signUp } from '../../support/accounts.js';
import { statusesOf } from '../../support/auth.js';
import { codeOf, enableTwoFactor, wrongCodeOf } from '../../support/one-time-codes.js';
import { insertMembership, insertOrganization } from '../../support/organizations.js';
import { refresh } from '../../support/sessions.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

const password = 'correct horse 7';
const stale = { status: 401, body: { code: 'reauthentication_required' } };

let app: TestApp;
let hardened: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  hardened = await startTestApp({ env: { ACCESS_POLICY: 'hardened', REAUTHENTICATE_AFTER: '60s' } });
});
afterAll(() => Promise.all([app.close(), hardened.close()]));

const profile = '/api/v1/users/me/profile';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

/** A signed-in account that is an admin of an organization, with ways to prove itself and to make a key. */
async function scene(on = app) {
  const { id, username } = await signUp(on, { password });
  const { body } = await on.api.post<Tokens>('/api/v1/auth/login', { json: { username, password } });
  const { id: organizationId } = await insertOrganization(on);
  await insertMembership(on, organizationId, id, 'admin');
  const keys = `/api/v1/organizations/${organizationId}/api-keys`;
  const json = { name: 'Pipeline', role: 'viewer' };
  return {
    ...body,
    id,
    username,
    /** Makes the login of the session older than any that is recent; returns its next tokens. */
    age: async () => {
      await on.database.rows(
        `UPDATE sessions SET authenticated_at = now() - interval '901 seconds' WHERE user_id = $1`,
        [id],
      );
      return (await refresh(on.api, body.refresh_token)).body;
    },
    makeKey: (token: string) => on.api.post<{ key: string }>(keys, { token, json }),
    prove: (token: string, proof: object) =>
      on.api.post<Tokens & { code?: string }>('/api/v1/auth/reauthenticate', { token, json: { password, ...proof } }),
  };
}

describe('A recent login', () => {
  it('is a login; a refresh does not make an old one recent, and a reauthentication does, for the session', async () => {
    const { access_token, age, makeKey, prove } = await scene();
    expect((await makeKey(access_token)).status).toBe(201);
    const aged = await age();
    expect(await makeKey(aged.access_token)).toMatchObject(stale);
    const { status, body } = await prove(aged.access_token, {});
    expect(status).toBe(200);
    expect(body).not.toHaveProperty('refresh_token');
    expect((await makeKey(body.access_token)).status).toBe(201);
    await app.database.rows(`UPDATE sessions SET rotated_at = rotated_at - interval '10 seconds'`);
    const next = await refresh(app.api, aged.refresh_token);
    expect((await makeKey(next.body.access_token)).status).toBe(201);
  });

  it('does not become recent for an access token that somebody took before', async () => {
    const { age, makeKey, prove } = await scene();
    const { access_token } = await age();
    await prove(access_token, {});
    expect(await makeKey(access_token)).toMatchObject(stale);
  });

  it('is asked of a token that does not say when its user signed in', async () => {
    const { id, makeKey } = await scene();
    expect(await makeKey(await app.nest.get(AccessTokens).issue(id, 0))).toMatchObject(stale);
  });

  it('is not asked of an API key, whose maker had one', async () => {
    const { id, username } = await insertUser(app);
    const organization = await insertOrganization(app);
    await insertMembership(app, organization.id, id, 'admin');
    const key = await organization.key('admin', { name: username });
    const keys = `/api/v1/organizations/${organization.id}/api-keys`;
    const made = await app.api.post(keys, { headers: { 'x-api-key': key }, json: { name: 'Next', role: 'viewer' } });
    expect(made.status).toBe(201);
  });

  it('is not asked to end the own session, and to end another one it is', async () => {
    const { age } = await scene();
    const { access_token } = await age();
    const sessions = '/api/v1/users/me/sessions';
    const { body } = await app.api.get<{ id: string; current: boolean }[]>(sessions, { token: access_token });
    const other = body.find(({ current }) => !current)?.id ?? '';
    const own = body.find(({ current }) => current)?.id ?? '';
    expect(await app.api.delete(`${sessions}/${other}`, { token: access_token })).toMatchObject(stale);
    expect((await app.api.delete(`${sessions}/${own}`, { token: access_token })).status).toBe(204);
  });

  it('is not asked by the operations of the interface description under contract', async () => {
    const { age, username } = await scene();
    const token = (await age()).access_token;
    const { secret } = await enableTwoFactor(app, token);
    expect((await app.api.post('/api/v1/totp/disable', { token, json: { token: codeOf(secret) } })).status).toBe(200);
    const changed = await app.api.put(profile, { token, json: { email: `${username}@elsewhere.example` } });
    expect(changed).toMatchObject({ status: 200, body: { email: `${username}@elsewhere.example` } });
    expect((await app.api.delete(profile, { token })).status).toBe(200);
  });

  it('is asked for another address under hardened, but not for the same one or for the rest of a profile', async () => {
    const { username, access_token, age } = await scene(hardened);
    const put = (token: string, json: object) => hardened.api.put(profile, { token, json });
    const { access_token: token } = await age();
    const { body } = await hardened.api.get<{ email: string }>(profile, { token });
    expect((await put(token, { bio: 'new', email: body.email.toUpperCase(), role: 'user' })).status).toBe(200);
    expect(await put(token, { email: `${username}@elsewhere.example` })).toMatchObject(stale);
    expect((await put(access_token, { email: `${username}@elsewhere.example` })).status).toBe(200);
  });
});

describe('POST /api/v1/auth/reauthenticate', () => {
  it('refuses a wrong password, and any after five', async () => {
    const { access_token, prove } = await scene();
    for (let n = 0; n < 5; n++) {
      const refused = await prove(access_token, { password: `wrong ${n}` });
      expect(refused).toMatchObject({ status: 400, body: { code: 'wrong_password' } });
    }
    expect(await prove(access_token, {})).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  });

  it('takes a code too with two-factor login, of the app or for recovery, and each once', async () => {
    const { access_token, prove } = await scene();
    const { secret, recoveryCodes } = await enableTwoFactor(app, access_token);
    expect(await prove(access_token, {})).toMatchObject({ status: 400, body: { code: 'code_required' } });
    const wrong = await prove(access_token, { totp_code: wrongCodeOf(secret) });
    expect(wrong).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    for (const totp_code of [codeOf(secret), recoveryCodes[0]]) {
      expect((await prove(access_token, { totp_code })).status).toBe(200);
      expect(await prove(access_token, { totp_code })).toMatchObject({ status: 400, body: { code: 'wrong_code' } });
    }
  });

  it('accepts one of two concurrent uses of a recovery code, on two nodes', async () => {
    const { api } = await app.anotherNode();
    const { access_token } = await scene();
    const { recoveryCodes } = await enableTwoFactor(app, access_token);
    const json = { password, totp_code: recoveryCodes[0] };
    const answers = [app.api, api, app.api, api].map((node) =>
      node.post('/api/v1/auth/reauthenticate', { token: access_token, json }),
    );
    expect(await statusesOf(answers)).toEqual([200, 400, 400, 400]);
  });

  it('refuses a session that has ended, and an access token without one', async () => {
    const { access_token, prove, id } = await scene();
    await app.database.rows(`DELETE FROM sessions WHERE user_id = $1`, [id]);
    expect(await prove(access_token, {})).toMatchObject({ status: 401, body: { code: 'token_revoked' } });
    const account = await signUp(app, { password });
    const token = await app.nest.get(AccessTokens).issue(account.id, 0);
    const json = { password };
    const refused = await app.api.post('/api/v1/auth/reauthenticate', { token, json });
    expect(refused).toMatchObject({ status: 400, body: { code: 'no_session' } });
  });
});

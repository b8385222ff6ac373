import { sha256 } from '../../../src/platform/crypto/digests.js';
import { insertAdmin, signUp } from '../../support/accounts.js';
import { codeOf } from '../../support/one-time-codes.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';

/** A token as a mail would carry it. */
async function mailedToken(app: TestApp, purpose: 'confirm' | 'reset' | 'undo'): Promise<string> {
  const { id, email } = await signUp(app);
  const token = `${purpose}-${canary}-${id}`;
  if (purpose === 'reset') await app.database.rows(`UPDATE users SET email_verified = true WHERE id = $1`, [id]);
  await app.database.rows(
    `INSERT INTO mail_tokens (token_hash, user_id, purpose, email, expires_at)
     VALUES ($1, $2, $4, $3, now() + interval '1 hour')`,
    [sha256(token), id, email, purpose],
  );
  return token;
}

/** Calls that change how somebody signs in; collects the secrets that the service makes in `secrets`. */
export function loginCalls(app: TestApp, secrets: string[]): RouteCalls {
  const setUp = async () => {
    const account = await signUp(app, { password: `password ${canary}` });
    const { token } = account;
    const { body } = await app.api.get<{ secret: string }>('/api/v1/totp/setup', { token });
    secrets.push(body.secret);
    const send = (what: 'enable' | 'disable') =>
      app.api.post<{ recovery_codes?: string[] }>(`/api/v1/totp/${what}`, {
        token,
        json: { token: codeOf(body.secret) },
      });
    return { ...account, send, secret: body.secret };
  };
  return {
    ...sessionCalls(app, secrets),
    'POST /api/v1/auth/email/confirm': async () => {
      const token = await mailedToken(app, 'confirm');
      return () => app.api.post('/api/v1/auth/email/confirm', { json: { token } });
    },
    'POST /account/confirm': async () => {
      const raw = new URLSearchParams({ token: await mailedToken(app, 'confirm') });
      return () => app.api.post('/account/confirm', { raw });
    },
    'PUT /api/v1/users/me/profile': async () => {
      const { token, username } = await signUp(app);
      const json = { email: `${canary}.${username}@example.com`, first_name: canary };
      return () => app.api.put('/api/v1/users/me/profile', { token, json });
    },
    'POST /api/v1/auth/login/totp': async () => {
      const { send, secret, username, password } = await setUp();
      await send('enable');
      const login = await app.api.post<{ temp_token: string }>('/api/v1/auth/login', { json: { username, password } });
      const { temp_token } = login.body;
      return async () => {
        const json = { temp_token, totp_code: codeOf(secret) };
        const answer = await app.api.post<Record<string, string>>('/api/v1/auth/login/totp', { json });
        secrets.push(temp_token, String(answer.body['access_token']), String(answer.body['refresh_token']));
        return answer;
      };
    },
    'POST /api/v1/auth/password': async () => {
      const { token, password } = await signUp(app, { password: `password ${canary}` });
      const json = { current_password: password, new_password: `another ${canary}` };
      return () => app.api.post('/api/v1/auth/password', { token, json });
    },
    'POST /api/v1/auth/password/reset': async () => {
      const token = await mailedToken(app, 'reset');
      return () => app.api.post('/api/v1/auth/password/reset', { json: { token, new_password: `another ${canary}` } });
    },
    'POST /account/reset': async () => {
      const token = await mailedToken(app, 'reset');
      const raw = new URLSearchParams({ token, new_password: `another ${canary}` });
      return () => app.api.post('/account/reset', { raw });
    },
    'POST /api/v1/auth/reauthenticate': async () => {
      const { token, password } = await signUp(app, { password: `password ${canary}` });
      return () => app.api.post('/api/v1/auth/reauthenticate', { token, json: { password } });
    },
    'POST /api/v1/auth/email/undo': async () => {
      const token = await mailedToken(app, 'undo');
      return () => app.api.post('/api/v1/auth/email/undo', { json: { token } });
    },
    'POST /account/undo-email': async () => {
      const raw = new URLSearchParams({ token: await mailedToken(app, 'undo') });
      return () => app.api.post('/account/undo-email', { raw });
    },
    'POST /api/v1/totp/enable': async () => {
      const { send } = await setUp();
      return async () => {
        const answer = await send('enable');
        secrets.push(...(answer.body.recovery_codes ?? []));
        return answer;
      };
    },
    'POST /api/v1/totp/recovery-codes': async () => {
      const { send, token, secret } = await setUp();
      await send('enable');
      return async () => {
        const json = { token: codeOf(secret) };
        const answer = await app.api.post<{ recovery_codes: string[] }>('/api/v1/totp/recovery-codes', {
          token,
          json,
        });
        secrets.push(...answer.body.recovery_codes);
        return answer;
      };
    },
    'POST /api/v1/admin/users/:user_uuid/totp/reset': async () => {
      const { send, id } = await setUp();
      await send('enable');
      const { token } = await insertAdmin(app);
      return () => app.api.post(`/api/v1/admin/users/${id}/totp/reset`, { token });
    },
    'POST /api/v1/totp/disable': async () => {
      const { send } = await setUp();
      await send('enable');
      return () => send('disable');
    },
  };
}

/** Calls that begin and end sessions. */
function sessionCalls(app: TestApp, secrets: string[]): RouteCalls {
  const signedIn = async () => {
    const account = await signUp(app, { password: `password ${canary}` });
    const { username, password } = account;
    const login = () => app.api.post<Record<string, string>>('/api/v1/auth/login', { json: { username, password } });
    const { body } = await login();
    secrets.push(String(body['access_token']), String(body['refresh_token']));
    return { ...account, login, refresh_token: body['refresh_token'] };
  };
  return {
    'POST /api/v1/auth/login': async () => (await signedIn()).login,
    'POST /api/v1/auth/logout': async () => {
      const { refresh_token } = await signedIn();
      return () => app.api.post('/api/v1/auth/logout', { json: { refresh_token } });
    },
    'DELETE /api/v1/users/me/sessions': async () => {
      const { token } = await signedIn();
      return () => app.api.delete('/api/v1/users/me/sessions', { token });
    },
    'DELETE /api/v1/users/me/sessions/:session_id': async () => {
      const { token } = await signedIn();
      const { body } = await app.api.get<{ id: string }[]>('/api/v1/users/me/sessions', { token });
      return () => app.api.delete(`/api/v1/users/me/sessions/${body[0]?.id}`, { token });
    },
  };
}

import { sha256 } from '../../../src/common/crypto/digests.js';
import { insertAdmin, signUp } from '../../support/accounts.js';
import { codeOf } from '../../support/one-time-codes.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';
import type { RouteCalls } from './route-calls.js';

/** A password-reset token as a mail would carry it. */
async function resetToken(app: TestApp): Promise<string> {
  const { id, email } = await signUp(app);
  const token = `reset-${canary}-${id}`;
  await app.database.rows(
    `INSERT INTO mail_tokens (token_hash, user_id, purpose, email, expires_at)
     VALUES ($1, $2, 'reset', $3, now() + interval '1 hour')`,
    [sha256(token), id, email],
  );
  return token;
}

/** Calls that change how somebody signs in; collects the secrets that the service makes in `secrets`. */
export function loginCalls(app: TestApp, secrets: string[]): RouteCalls {
  const setUp = async () => {
    const { token, id } = await signUp(app, { password: `password ${canary}` });
    const { body } = await app.api.get<{ secret: string }>('/api/v1/totp/setup', { token });
    secrets.push(body.secret);
    const send = (what: 'enable' | 'disable') =>
      app.api.post<{ recovery_codes?: string[] }>(`/api/v1/totp/${what}`, {
        token,
        json: { token: codeOf(body.secret) },
      });
    return { send, token, id, secret: body.secret };
  };
  return {
    'POST /api/v1/auth/password': async () => {
      const { token, password } = await signUp(app, { password: `password ${canary}` });
      const json = { current_password: password, new_password: `another ${canary}` };
      return () => app.api.post('/api/v1/auth/password', { token, json });
    },
    'POST /api/v1/auth/password/reset': async () => {
      const token = await resetToken(app);
      return () => app.api.post('/api/v1/auth/password/reset', { json: { token, new_password: `another ${canary}` } });
    },
    'POST /account/reset': async () => {
      const token = await resetToken(app);
      const raw = new URLSearchParams({ token, new_password: `another ${canary}` });
      return () => app.api.post('/account/reset', { raw });
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

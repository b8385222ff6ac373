import type { AuditAction } from '../../../src/platform/audit/audit-actions.js';
import { signUp } from '../../support/accounts.js';
import { codeOf } from '../../support/one-time-codes.js';
import type { TestApp } from '../../support/test-app.js';
import { canary } from './canary.js';

/** What causes an event: it returns the account that the event is about, or null for none. */
type Cause = () => Promise<string | null>;

/** Calls that cause the security events which no change of the audited routes leaves behind. */
export function failureCalls(app: TestApp, secrets: string[]): Partial<Record<AuditAction, Cause>> {
  const { api } = app;
  const login = (username: string, password: string) =>
    api.post<Record<string, string>>('/api/v1/auth/login', { json: { username, password } });
  const withTotp = async () => {
    const account = await signUp(app);
    const { token } = account;
    const { body } = await api.get<{ secret: string }>('/api/v1/totp/setup', { token });
    const json = { token: codeOf(body.secret) };
    const enabled = await api.post<{ recovery_codes: string[] }>('/api/v1/totp/enable', { token, json });
    secrets.push(body.secret, ...enabled.body.recovery_codes);
    const { body: step } = await login(account.username, account.password);
    return { ...account, temp_token: String(step['temp_token']), recoveryCode: enabled.body.recovery_codes[0] };
  };
  const withCode = (temp_token: string, totp_code: string | undefined) =>
    api.post('/api/v1/auth/login/totp', { json: { temp_token, totp_code } });
  return {
    'user.login_failed': async () => {
      const { id, username } = await signUp(app);
      await login(username, `wrong ${canary}`);
      return id;
    },
    'user.attempts_blocked': async () => {
      const { id, username } = await signUp(app);
      for (let attempt = 1; attempt <= 5; attempt++) await login(username, `wrong ${canary}`);
      return id;
    },
    'user.login_refused': async () => {
      const { id, username, password } = await signUp(app);
      await app.database.rows('UPDATE users SET suspended_at = now() WHERE id = $1', [id]);
      await login(username, password);
      return id;
    },
    'user.login_code_failed': async () => {
      const { id, temp_token } = await withTotp();
      await withCode(temp_token, `wrong ${canary}`);
      return id;
    },
    'user.recovery_code_used': async () => {
      const { id, temp_token, recoveryCode } = await withTotp();
      await withCode(temp_token, recoveryCode);
      return id;
    },
    'user.password_failed': async () => {
      const { id, token } = await signUp(app);
      const json = { current_password: `wrong ${canary}`, new_password: `another ${canary}` };
      await api.post('/api/v1/auth/password', { token, json });
      return id;
    },
    'user.code_failed': async () => {
      const { id, token } = await signUp(app);
      await api.post('/api/v1/totp/verify', { token, json: { token: `wrong ${canary}` } });
      return id;
    },
    'user.refresh_token_reused': async () => {
      const { id, username, password } = await signUp(app);
      const { refresh_token } = (await login(username, password)).body;
      const refresh = () => api.post<Record<string, string>>('/api/v1/auth/refresh', { json: { refresh_token } });
      secrets.push(String(refresh_token), String((await refresh()).body['refresh_token']));
      await app.database.rows(`UPDATE sessions SET rotated_at = now() - interval '1 hour' WHERE user_id = $1`, [id]);
      await refresh();
      return id;
    },
  };
}

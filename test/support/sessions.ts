import { SessionsService } from '../../src/store/sessions/sessions.service.js';
import type { ApiClient } from './api-client.js';
import { type InsertedUser, insertUser } from './accounts.js';
import type { TestApp } from './test-app.js';

export interface BegunSession {
  user: InsertedUser;
  id: string;
  access: string;
  refresh: string;
}

/** The session of an access token. */
export function sessionIdOf(accessToken: string): string {
  const claims = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(claims) as { sid: string }).sid;
}

/** Begins a session as a login does, without the cost of a password. */
export async function beginSession(app: TestApp, of?: InsertedUser, deviceName = 'Test'): Promise<BegunSession> {
  const user = of ?? (await insertUser(app));
  const [account] = await app.database.rows<{ version: number }>(
    'SELECT token_version AS version FROM users WHERE id = $1',
    [user.id],
  );
  const device = { name: deviceName, address: '127.0.0.1' };
  const tokens = await app.nest.get(SessionsService).begin(user.id, account?.version ?? 0, device);
  if (!tokens) throw new Error('No session began');
  const { accessToken, refreshToken } = tokens;
  return { user, id: sessionIdOf(accessToken), access: accessToken, refresh: refreshToken };
}

export interface Refreshed {
  access_token: string;
  refresh_token: string;
  code?: string;
}

export function refresh(api: ApiClient, refresh_token: string) {
  return api.post<Refreshed>('/api/v1/auth/refresh', { json: { refresh_token } });
}

/** Whether an access token gives access to the account. */
export async function opens(api: ApiClient, token: string): Promise<boolean> {
  return (await api.get('/api/v1/auth/me', { token })).status === 200;
}

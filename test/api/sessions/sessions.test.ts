import { afterAll, describe, expect, it } from '@jest/globals';
import { Passwords } from '../../../src/platform/crypto/passwords.js';
import { SessionsRepository } from '../../../src/store/sessions/sessions.repository.js';
import type { Session } from '../../../src/store/sessions/sessions.dto.js';
import { insertAdmin, insertUser, signUp } from '../../support/accounts.js';
import type { ApiClient } from '../../support/api-client.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { until } from '../../support/receiver.js';
import {
  type BegunSession,
  beginSession,
  opens,
  refresh,
  type Refreshed,
  sessionIdOf,
} from '../../support/sessions.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp } from '../../support/test-app.js';

const app = await startTestApp();
const other = await app.anotherNode();
afterAll(() => app.close());

const { api } = app;
const path = '/api/v1/users/me/sessions';
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const list = (token: string) => api.get<Session[]>(path, { token });
const logout = (token: string, of = api) => of.post('/api/v1/auth/logout', { token });
const rowsOf = (userId: string) => app.database.rows('SELECT id FROM sessions WHERE user_id = $1', [userId]);

async function isOver({ refresh: token, access }: BegunSession): Promise<void> {
  expect((await refresh(api, token)).status).toBe(401);
  expect(await opens(api, access)).toBe(false);
  await until(async () => !(await opens(other.api, access)));
}

describe('POST /api/v1/auth/login', () => {
  it('begins a session that shows its origin, in one transaction with its audit entry', async () => {
    const { username, password } = await signUp(app);
    const json = { username, password };
    let tokens: Refreshed | undefined;
    const statements = await statementsOf(async () => {
      const login = { json, headers: { 'user-agent': firefox } };
      tokens = (await api.post<Refreshed>('/api/v1/auth/login', login)).body;
    });
    expect(statements).toEqual([
      'users.count-attempt',
      'auth.credentials',
      'users.clear-attempts',
      'START TRANSACTION',
      'sessions.begin',
      'audit.append',
      'COMMIT',
    ]);
    const { body } = await list(tokens?.access_token ?? '');
    expect(body).toHaveLength(2);
    expect(body[0]).toEqual({
      id: sessionIdOf(tokens?.access_token ?? ''),
      device: 'Firefox on Linux',
      address: '127.0.0.1',
      created_at: expect.any(String),
      last_used_at: expect.any(String),
      expires_at: expect.any(String),
      current: true,
    });
    expect((await refresh(other.api, tokens?.refresh_token ?? '')).status).toBe(200);
  });

  it('keeps 50 sessions of an account: the least recently used one makes way, and its access token lives on', async () => {
    const first = await beginSession(app);
    await app.database.rows(
      `INSERT INTO sessions (id, user_id, token_version, token_hash, device, address, expires_at, latest_end)
       SELECT gen_random_uuid(), $1, 0, 'none', 'Test', '127.0.0.1', now() + interval '1 day', now() + interval '1 day'
         FROM generate_series(1, 49)`,
      [first.user.id],
    );
    await app.database.rows(`UPDATE sessions SET last_used_at = now() - interval '1 hour' WHERE id = $1`, [first.id]);
    await beginSession(app, first.user);
    expect(await rowsOf(first.user.id)).toHaveLength(50);
    expect((await refresh(api, first.refresh)).body.code).toBe('refresh_token_invalid');
    expect(await opens(api, first.access)).toBe(true);
  });
});

describe('GET /api/v1/users/me/sessions', () => {
  it("returns only the caller's active sessions, most recently used first", async () => {
    const older = await beginSession(app);
    const ended = await beginSession(app, older.user);
    const newer = await beginSession(app, older.user);
    await beginSession(app);
    await logout(ended.access);
    const { body } = await list(older.access);
    expect(body.map(({ id, current }) => [id, current])).toEqual([
      [newer.id, false],
      [older.id, true],
    ]);
    expect(JSON.stringify(body)).not.toContain('hash');
  });

  it('marks none as current for an access token from before there were sessions', async () => {
    const user = await insertUser(app);
    await beginSession(app, user);
    expect((await list(user.token)).body.map(({ current }) => current)).toEqual([false]);
  });
});

describe('POST /api/v1/auth/logout', () => {
  it('ends the session of the access token and no other, at once on this node and soon on the other', async () => {
    const session = await beginSession(app);
    const neighbour = await beginSession(app, session.user);
    expect(await opens(other.api, session.access)).toBe(true);
    expect((await logout(session.access)).status).toBe(204);
    await isOver(session);
    expect(await opens(api, neighbour.access)).toBe(true);
  });

  it('ends the session of a refresh token, also of an earlier one, whatever access token comes with it', async () => {
    const session = await beginSession(app);
    await refresh(api, session.refresh);
    const json = { refresh_token: session.refresh };
    const answer = await api.post('/api/v1/auth/logout', { json, token: 'expired' });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([204, null]);
    await isOver(session);
    expect((await api.post('/api/v1/auth/logout', { json })).status).toBe(204);
  });

  it('responds with 401 without a token, and 400 to an access token without a session', async () => {
    expect((await api.post('/api/v1/auth/logout')).body).toMatchObject({ code: 'unauthenticated' });
    expect((await logout('x.y.z')).body).toMatchObject({ code: 'token_invalid' });
    expect(await logout((await insertUser(app)).token)).toMatchObject({ status: 400, body: { code: 'no_session' } });
  });
});

describe('DELETE /api/v1/users/me/sessions/{session_id}', () => {
  it('ends another session of the caller', async () => {
    const session = await beginSession(app);
    const lost = await beginSession(app, session.user);
    expect((await api.delete(`${path}/${lost.id}`, { token: session.access })).status).toBe(204);
    await isOver(lost);
    expect(await opens(api, session.access)).toBe(true);
  });

  it("responds with 404 for somebody else's, an ended and an unknown session", async () => {
    const session = await beginSession(app);
    const foreign = await beginSession(app);
    const ended = await beginSession(app, session.user);
    await logout(ended.access);
    for (const id of [foreign.id, ended.id, '0199a001-0000-7000-8000-000000000011']) {
      expect((await api.delete(`${path}/${id}`, { token: session.access })).status).toBe(404);
    }
    expect(await opens(api, foreign.access)).toBe(true);
  });
});

describe('DELETE /api/v1/users/me/sessions', () => {
  it('ends all sessions and access tokens of the caller, including tokens without a session', async () => {
    const session = await beginSession(app);
    const second = await beginSession(app, session.user);
    const foreign = await beginSession(app);
    expect((await api.delete(path, { token: session.access })).status).toBe(204);
    await isOver(session);
    await isOver(second);
    expect(await opens(api, session.user.token)).toBe(false);
    expect(await opens(api, foreign.access)).toBe(true);
  });
});

describe('A session', () => {
  it('survives a change of the password by its own device, and all others end', async () => {
    const { username, password } = await signUp(app);
    const signIn = async () => (await api.post<Refreshed>('/api/v1/auth/login', { json: { username, password } })).body;
    const [mine, lost] = [await signIn(), await signIn()];
    const json = { current_password: password, new_password: 'another horse 8' };
    const { body } = await api.post<Refreshed>('/api/v1/auth/password', { token: mine.access_token, json });
    expect(sessionIdOf(body.access_token)).toBe(sessionIdOf(mine.access_token));
    expect(await opens(api, body.access_token)).toBe(true);
    expect(await opens(api, lost.access_token)).toBe(false);
    expect((await refresh(api, lost.refresh_token)).status).toBe(401);
    const next = (await refresh(api, mine.refresh_token)).body;
    expect(await opens(other.api, next.access_token)).toBe(true);
    expect((await list(next.access_token)).body).toHaveLength(1);
  });

  it('ends when the role changes', async () => {
    const admin = await insertAdmin(app);
    const session = await beginSession(app);
    await api.put(`/api/v1/admin/users/${session.user.id}`, { token: admin.token, json: { role: 'admin' } });
    await isOver(session);
  });

  it('is removed with its account, as are its devices', async () => {
    const session = await beginSession(app);
    await api.delete('/api/v1/users/me/profile', { token: session.access });
    await isOver(session);
    expect(await rowsOf(session.user.id)).toEqual([]);
    expect(await app.database.rows('SELECT FROM known_devices WHERE user_id = $1', [session.user.id])).toEqual([]);
  });

  it('is swept after it has expired, or ended longer ago than an access token lives', async () => {
    const kept = await beginSession(app);
    const expired = await beginSession(app, kept.user);
    const endedNow = await beginSession(app, kept.user);
    const endedBefore = await beginSession(app, kept.user);
    await logout(endedNow.access);
    await logout(endedBefore.access);
    await app.database.rows(
      `UPDATE sessions SET expires_at = expires_at - CASE WHEN id = $1 THEN interval '31 days' ELSE interval '61 minutes' END
        WHERE id IN ($1, $2)`,
      [expired.id, endedBefore.id],
    );
    await app.nest.get(SessionsRepository).sweep();
    const left = (await rowsOf(kept.user.id)).map((row) => String(row['id']));
    expect(new Set(left)).toEqual(new Set([kept.id, endedNow.id]));
  });
});

type Ending = (session: BegunSession, of: ApiClient) => Promise<{ status: number }>;

/** Changes the password from another device, whose session goes on. */
async function changePassword({ user }: BegunSession, of: ApiClient): Promise<{ status: number }> {
  const hash = await app.nest.get(Passwords, { strict: false }).hash('correct horse 7', { queue: 'change' });
  await app.database.rows('UPDATE users SET password_hash = $2 WHERE id = $1', [user.id, hash]);
  const { access } = await beginSession(app, user);
  const json = { current_password: 'correct horse 7', new_password: 'another horse 8' };
  return of.post('/api/v1/auth/password', { token: access, json });
}

async function giveRole({ user }: BegunSession, of: ApiClient): Promise<{ status: number }> {
  const { token } = await insertAdmin(app);
  return of.put(`/api/v1/admin/users/${user.id}`, { token, json: { role: 'admin' } });
}

const endingsOfAll: [name: string, end: Ending][] = [
  ['signing out everywhere', ({ access }, of) => of.delete(path, { token: access })],
  ['the deletion of the account', ({ access }, of) => of.delete('/api/v1/users/me/profile', { token: access })],
  ['a change of the password', changePassword],
  ['another role', giveRole],
];
const endings: [name: string, end: Ending][] = [['a logout', ({ access }, of) => logout(access, of)], ...endingsOfAll];

/** Asserts that neither these tokens nor those from refreshes still work, on either node. */
async function areOver(sessions: BegunSession[], answers: Awaited<ReturnType<typeof refresh>>[]): Promise<void> {
  const given = answers.filter(({ status }) => status === 200).map(({ body }) => body);
  const before = sessions.map(({ access, refresh: token }) => ({ access_token: access, refresh_token: token }));
  for (const { access_token, refresh_token } of [...given, ...before]) {
    expect((await refresh(api, refresh_token)).status).toBe(401);
    await until(async () => !(await opens(api, access_token)) && !(await opens(other.api, access_token)));
  }
}

describe('A refresh that meets', () => {
  it.each(endings)('%s on another node leaves no working token', async (_, end) => {
    const session = await beginSession(app);
    const held = await HeldTransaction.open(app.database, 'SELECT FROM sessions WHERE id = $1 FOR UPDATE', [
      session.id,
    ]);
    const racing = [refresh(api, session.refresh), refresh(api, session.refresh), refresh(other.api, session.refresh)];
    await held.blocks(3);
    const ending = end(session, other.api);
    // A change of the role does not wait for sessions, and comes first.
    await Promise.race([held.blocks(4, 60_000), ending]);
    await held.commit();
    expect([200, 204]).toContain((await ending).status);
    await areOver([session], await Promise.all(racing));
  });

  it.each(endingsOfAll)('%s, many at once, leaves none either, and causes no 500', async (_, end) => {
    const first = await beginSession(app);
    const sessions = [first];
    for (let n = 0; n < 7; n++) sessions.push(await beginSession(app, first.user));
    const all = (of: ApiClient) => sessions.map((session) => refresh(of, session.refresh));
    const racing = [...all(api), ...all(other.api)];
    const ending = end(first, other.api);
    racing.push(...all(api));
    expect([200, 204]).toContain((await ending).status);
    const answers = await Promise.all(racing);
    for (const { status } of answers) expect([200, 401]).toContain(status);
    await areOver(sessions, answers);
  });

  it('A login during the deletion of its account begins no session', async () => {
    const user = await insertUser(app);
    const held = await HeldTransaction.open(app.database, 'SELECT FROM users WHERE id = $1 FOR UPDATE', [user.id]);
    const begun = beginSession(app, user);
    await held.blocks(1);
    await held.query('UPDATE users SET deleted_at = now(), token_version = token_version + 1 WHERE id = $1', [user.id]);
    await held.commit();
    await expect(begun).rejects.toThrow('No session began');
    expect(await rowsOf(user.id)).toEqual([]);
  });
});

import { afterAll, describe, expect, it } from '@jest/globals';
import { insertUser } from '../../support/accounts.js';
import { HeldTransaction } from '../../support/held-transaction.js';
import { until } from '../../support/receiver.js';
import { beginSession, opens, refresh, sessionIdOf } from '../../support/sessions.js';
import { statementsOf } from '../../support/statement-count.js';
import { startTestApp } from '../../support/test-app.js';

const app = await startTestApp();
const other = await app.anotherNode();
afterAll(() => app.close());

const { api } = app;

/** Moves past the ten seconds in which a replaced token still works. */
async function afterTheGrace(sessionId: string): Promise<void> {
  await app.database.rows(`UPDATE sessions SET rotated_at = rotated_at - interval '10 seconds' WHERE id = $1`, [
    sessionId,
  ]);
}

async function renewed(token: string): Promise<string> {
  const { body } = await refresh(api, token);
  await afterTheGrace(sessionIdOf(body.access_token));
  return body.refresh_token;
}

describe('POST /api/v1/auth/refresh', () => {
  it('responds with 200 with the next tokens of the session', async () => {
    const session = await beginSession(app);
    const { status, body } = await refresh(api, session.refresh);
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^srt_/),
    });
    expect(body.refresh_token).not.toBe(session.refresh);
    expect(sessionIdOf(body.access_token)).toBe(session.id);
    expect(await opens(api, body.access_token)).toBe(true);
  });

  it('responds with 200 for each next token', async () => {
    const session = await beginSession(app);
    const second = await renewed(session.refresh);
    const third = await renewed(second);
    expect(new Set([session.refresh, second, third]).size).toBe(3);
    expect((await refresh(api, third)).status).toBe(200);
  });

  it('gives 20 concurrent requests with one token the same response on two nodes, and the session goes on', async () => {
    const session = await beginSession(app);
    const held = await HeldTransaction.open(app.database, 'SELECT FROM sessions WHERE id = $1 FOR UPDATE', [
      session.id,
    ]);
    const answers = Array.from({ length: 20 }, (_, n) => refresh(n % 2 ? api : other.api, session.refresh));
    await held.blocks(10);
    await held.commit();
    const all = await Promise.all(answers);
    expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const [next, ...more] = new Set(all.map(({ body }) => body.refresh_token));
    expect(more).toEqual([]);
    for (const { body } of all) expect(await opens(other.api, body.access_token)).toBe(true);
    await afterTheGrace(session.id);
    expect((await refresh(api, String(next))).status).toBe(200);
  });

  it('returns a token issued a moment ago again, so that a late request with the previous one still works', async () => {
    const session = await beginSession(app);
    const { refresh_token } = (await refresh(api, session.refresh)).body;
    expect((await refresh(api, refresh_token)).body.refresh_token).toBe(refresh_token);
    expect((await refresh(other.api, session.refresh)).body.refresh_token).toBe(refresh_token);
  });

  it('returns the successor again when the response was lost', async () => {
    const session = await beginSession(app);
    const held = await HeldTransaction.open(app.database, 'SELECT FROM sessions WHERE id = $1 FOR UPDATE', [
      session.id,
    ]);
    const gone = new AbortController();
    const lost = fetch(`${app.baseUrl}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: session.refresh }),
      signal: gone.signal,
    });
    await held.blocks(1);
    gone.abort();
    await expect(lost).rejects.toThrow();
    await held.commit();
    const rotated = 'SELECT FROM sessions WHERE id = $1 AND rotated_at IS NOT NULL';
    await until(async () => (await app.database.rows(rotated, [session.id])).length > 0);
    expect((await refresh(other.api, session.refresh)).status).toBe(200);
  });

  it('responds with 401 to a token replaced longer ago, and ends the whole session on both nodes', async () => {
    const session = await beginSession(app);
    const { body } = await refresh(api, session.refresh);
    expect(await opens(other.api, body.access_token)).toBe(true);
    await afterTheGrace(session.id);
    expect(await refresh(api, session.refresh)).toMatchObject({ status: 401, body: { code: 'refresh_token_reused' } });
    expect(await refresh(api, body.refresh_token)).toMatchObject({
      status: 401,
      body: { code: 'refresh_token_invalid' },
    });
    expect(await opens(api, body.access_token)).toBe(false);
    await until(async () => !(await opens(other.api, body.access_token)));
  });

  it('recognizes a token of any earlier generation, and ends no other session for it', async () => {
    const session = await beginSession(app);
    const neighbour = await beginSession(app, session.user);
    const third = await renewed(await renewed(session.refresh));
    expect((await refresh(api, session.refresh)).body.code).toBe('refresh_token_reused');
    expect((await refresh(api, third)).status).toBe(401);
    expect((await refresh(api, neighbour.refresh)).status).toBe(200);
  });

  it('responds with 401 to an invented token without asking the database, and ends nothing', async () => {
    const { refresh: token } = await beginSession(app);
    const changed = token.slice(0, -8) + (token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA');
    for (const made of [changed, 'srt_', 'x', token.slice(4), `${token}AAAA`]) {
      const statements = await statementsOf(async () => {
        expect(await refresh(api, made)).toMatchObject({ status: 401, body: { code: 'refresh_token_invalid' } });
      });
      expect(statements).toEqual([]);
    }
    expect((await refresh(api, token)).status).toBe(200);
  });

  it('responds with 401 without a token, and 422 to one that is not a string', async () => {
    expect(await api.post('/api/v1/auth/refresh')).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    expect((await api.post('/api/v1/auth/refresh', { json: { refresh_token: 7 } })).status).toBe(422);
    expect((await api.post('/api/v1/auth/refresh', { json: { refresh_token: 'x'.repeat(513) } })).status).toBe(422);
  });

  it('takes one statement', async () => {
    const session = await beginSession(app);
    expect(await statementsOf(() => refresh(api, session.refresh))).toEqual(['sessions.rotate']);
  });

  it('asks for no two-factor code', async () => {
    const session = await beginSession(app);
    await app.database.rows(`UPDATE users SET totp_secret = 'x', totp_enabled = true WHERE id = $1`, [session.user.id]);
    expect((await refresh(api, session.refresh)).status).toBe(200);
  });

  it('extends the session by 30 days, to at most 180 days after the login', async () => {
    const session = await beginSession(app);
    const days = async () => {
      const [row] = await app.database.rows<{ days: number }>(
        `SELECT round(extract(epoch FROM expires_at - created_at) / 86400)::integer AS days FROM sessions WHERE id = $1`,
        [session.id],
      );
      return row?.days;
    };
    expect(await days()).toBe(30);
    const age = `created_at = created_at - $2 * interval '1 day', latest_end = latest_end - $2 * interval '1 day'`;
    await app.database.rows(`UPDATE sessions SET ${age} WHERE id = $1`, [session.id, 20]);
    const second = await renewed(session.refresh);
    expect(await days()).toBe(50);
    await app.database.rows(`UPDATE sessions SET ${age} WHERE id = $1`, [session.id, 150]);
    expect((await refresh(api, second)).status).toBe(200);
    expect(await days()).toBe(180);
  });

  it('responds with 401 once the session has expired', async () => {
    const session = await beginSession(app);
    await app.database.rows(`UPDATE sessions SET expires_at = now() WHERE id = $1`, [session.id]);
    expect(await refresh(api, session.refresh)).toMatchObject({ status: 401, body: { code: 'refresh_token_invalid' } });
  });

  it('stores no usable token', async () => {
    const session = await beginSession(app, await insertUser(app));
    const { body } = await refresh(api, session.refresh);
    const rows = JSON.stringify(await app.database.rows('SELECT * FROM sessions WHERE id = $1', [session.id]));
    expect(rows).toContain(session.id);
    for (const token of [session.refresh, body.refresh_token]) expect(rows).not.toContain(token.slice(4, 40));
  });
});

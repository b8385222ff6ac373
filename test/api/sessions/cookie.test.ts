import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Account, insertUser, signUp } from '../../support/accounts.js';
import {
  type BegunSession,
  beginSession,
  opens,
  refresh,
  type Refreshed,
  sessionIdOf,
} from '../../support/sessions.js';
import { startTestApp } from '../../support/test-app.js';

const app = await startTestApp({ env: { TRUST_PROXY: 'loopback', CORS_ORIGINS: 'https://app.example.com' } });
afterAll(() => app.close());

const { api, baseUrl } = app;
const maria: Account = await signUp(app);
const credentials = { username: maria.username, password: maria.password };
const own = { origin: baseUrl };

/** The cookie that a response sets, as the browser sends it back, and its attributes. */
function cookieOf(headers: Headers): { sent: string; kept: string[] } {
  const [sent = '', ...kept] = (headers.getSetCookie()[0] ?? '').split('; ');
  return { sent, kept };
}

function byCookie(operation: 'refresh' | 'logout', token: string, headers: Record<string, string>) {
  const cookie = `theme=dark; store_refresh=${token}`;
  return api.post<Refreshed>(`/api/v1/auth/${operation}`, { headers: { cookie, ...headers } });
}

describe('POST /api/v1/auth/login?session=cookie', () => {
  it('puts the refresh token into a cookie only for the same origin, and not into the body', async () => {
    const answer = await api.post<Refreshed>('/api/v1/auth/login?session=cookie', { json: credentials, headers: own });
    const { sent, kept } = cookieOf(answer.headers);
    expect(sent).toMatch(/^store_refresh=srt_/);
    expect(kept.filter((choice) => !choice.startsWith('Expires')).sort()).toEqual([
      'HttpOnly',
      'Max-Age=2592000',
      'Path=/api/v1/auth',
      'SameSite=Strict',
    ]);
    expect(answer.body).not.toHaveProperty('refresh_token');
    expect(await opens(api, answer.body.access_token)).toBe(true);
  });

  it("sets a Secure cookie when the browser's connection is encrypted", async () => {
    const headers = { origin: baseUrl.replace('http:', 'https:'), 'x-forwarded-proto': 'https' };
    const answer = await api.post('/api/v1/auth/login?session=cookie', { json: credentials, headers });
    const { sent, kept } = cookieOf(answer.headers);
    // What a browser demands of a cookie whose name begins with __Host-.
    expect(sent).toMatch(/^__Host-store_refresh=srt_/);
    expect(kept).toEqual(expect.arrayContaining(['Secure', 'Path=/']));
    expect(kept.join()).not.toContain('Domain');
    const next = await api.post('/api/v1/auth/refresh', { headers: { ...headers, cookie: sent } });
    expect(next.status).toBe(200);
  });

  it('responds with 403 to a page of another origin before it looks at the password', async () => {
    const headers = { origin: 'https://app.example.com' };
    for (const step of ['login', 'login/totp']) {
      const json = { ...credentials, password: 'wrong', temp_token: 'x', totp_code: '123456' };
      const answer = await api.post(`/api/v1/auth/${step}?session=cookie`, { json, headers });
      expect(answer).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it('responds with 422 for an unknown place', async () => {
    expect((await api.post('/api/v1/auth/login?session=url', { json: credentials, headers: own })).status).toBe(422);
  });
});

describe('POST /api/v1/auth/login without the cookie', () => {
  it('sets no cookie, and checks no origin', async () => {
    const headers = { origin: 'https://app.example.com' };
    const answer = await api.post<Refreshed>('/api/v1/auth/login', { json: credentials, headers });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(answer.body.refresh_token).toMatch(/^srt_/);
  });
});

describe('The session cookie', () => {
  let session: BegunSession;
  beforeEach(async () => {
    session = await beginSession(app, await insertUser(app));
  });

  it('refreshes the session, and is replaced', async () => {
    const { status, body, headers } = await byCookie('refresh', session.refresh, own);
    expect(status).toBe(200);
    expect(sessionIdOf(body.access_token)).toBe(session.id);
    expect(body).not.toHaveProperty('refresh_token');
    const { sent } = cookieOf(headers);
    expect(sent).not.toContain(session.refresh);
    expect((await refresh(api, sent.replace('store_refresh=', ''))).status).toBe(200);
  });

  it('gives way to a token in the body', async () => {
    const another = await beginSession(app, session.user);
    const cookie = `store_refresh=${session.refresh}`;
    const json = { refresh_token: another.refresh };
    const answer = await api.post<Refreshed>('/api/v1/auth/refresh', { json, headers: { cookie } });
    expect(sessionIdOf(answer.body.access_token)).toBe(another.id);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  it('is removed by the logout', async () => {
    const { status, headers } = await byCookie('logout', session.refresh, own);
    expect(status).toBe(204);
    const { sent, kept } = cookieOf(headers);
    expect(sent).toBe('store_refresh=');
    expect(kept).toEqual(expect.arrayContaining(['Path=/api/v1/auth', 'Expires=Thu, 01 Jan 1970 00:00:00 GMT']));
    expect((await refresh(api, session.refresh)).status).toBe(401);
  });

  const { host } = new URL(baseUrl);
  const foreign: [of: string, headers: Record<string, string>][] = [
    ['another site', { origin: 'https://evil.example' }],
    ['a page that hides its origin', { origin: 'null' }],
    ['something that names no origin', {}],
    ['a subdomain', { origin: `http://shop.${host}` }],
    ['another port of this host', { origin: baseUrl.replace(/\d+$/, '1') }],
    ['this host without encryption', { origin: baseUrl, 'x-forwarded-proto': 'https' }],
    ['an origin that begins like this one', { origin: `${baseUrl}.evil.example` }],
    ['an origin that CORS allows', { origin: 'https://app.example.com' }],
    ['another host of the site, by Fetch Metadata', { ...own, 'sec-fetch-site': 'same-site' }],
    ['another site, by Fetch Metadata', { ...own, 'sec-fetch-site': 'cross-site' }],
    ['the address bar', { ...own, 'sec-fetch-site': 'none' }],
  ];
  it.each(foreign)('is refused from %s, and stays unchanged', async (_, headers) => {
    const prefix = headers['x-forwarded-proto'] ? '__Host-' : '';
    for (const operation of ['refresh', 'logout']) {
      const cookie = `${prefix}store_refresh=${session.refresh}`;
      const answer = await api.post(`/api/v1/auth/${operation}`, { headers: { cookie, ...headers } });
      expect(answer).toMatchObject({ status: 403, body: { code: 'foreign_origin' } });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(
      await app.database.rows('SELECT FROM sessions WHERE id = $1 AND rotated_at IS NULL AND ended_at IS NULL', [
        session.id,
      ]),
    ).toHaveLength(1);
  });

  it('is accepted by Fetch Metadata behind a proxy that changes the host', async () => {
    const headers = { origin: 'https://shop.example.com', 'sec-fetch-site': 'same-origin' };
    expect((await byCookie('refresh', session.refresh, headers)).status).toBe(200);
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])(
    'is of no use to a form, of type %s',
    async (type) => {
      const cookie = `store_refresh=${session.refresh}`;
      const headers = { cookie, origin: 'https://evil.example', 'content-type': type };
      const answer = await api.post('/api/v1/auth/logout', { raw: 'a=b', headers });
      expect([403, 415]).toContain(answer.status);
      expect(await opens(api, session.access)).toBe(true);
    },
  );

  it('is ignored beside a second one, which another host of the domain may have set', async () => {
    const cookie = `store_refresh=${session.refresh}; store_refresh=${(await beginSession(app)).refresh}`;
    const answer = await api.post('/api/v1/auth/refresh', { headers: { ...own, cookie } });
    expect(answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
  });

  it('leaves the logout to the access token when another page sends both', async () => {
    const another = await beginSession(app, session.user);
    const cookie = `store_refresh=${session.refresh}`;
    const headers = { cookie, origin: 'https://app.example.com' };
    expect((await api.post('/api/v1/auth/logout', { token: another.access, headers })).status).toBe(204);
    expect(await opens(api, another.access)).toBe(false);
    expect(await opens(api, session.access)).toBe(true);
  });
});

describe('CORS', () => {
  it.each(['https://app.example.com', 'https://evil.example', 'null'])(
    'allows no credentials to %s',
    async (origin) => {
      const preflight = { origin, 'access-control-request-method': 'POST' };
      const answers = [
        await fetch(`${baseUrl}/api/v1/auth/refresh`, { method: 'OPTIONS', headers: preflight }),
        await fetch(`${baseUrl}/api/v1/auth/refresh`, { method: 'POST', headers: { origin } }),
      ];
      for (const { headers } of answers) {
        expect(headers.get('access-control-allow-credentials')).toBeNull();
        expect(headers.get('access-control-allow-origin')).toBe(origin === 'https://app.example.com' ? origin : null);
      }
    },
  );
});

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tokenAudience, tokenIssuer } from '../../../src/platform/auth/access-tokens.js';
import { Secrets } from '../../../src/config/secrets.js';
import { type Account, insertAdmin, signUp } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: Account;
let secret: string;
beforeAll(async () => {
  app = await startTestApp();
  maria = await signUp(app);
  secret = app.nest.get(Secrets).jwtSecret;
});
afterAll(() => app.close());

const now = (): number => Math.floor(Date.now() / 1000);
const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');

interface Forgery {
  header?: object;
  claims?: object;
  key?: string;
  hash?: string;
}

/** A token as the service issues it, altered by a forger. */
function token({ header = {}, claims = {}, key = secret, hash = 'sha256' }: Forgery = {}): string {
  const time = { iat: now(), exp: now() + 3600 };
  const signed = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode({
    sub: maria.id,
    ver: 0,
    iss: tokenIssuer,
    aud: tokenAudience,
    ...time,
    ...claims,
  })}`;
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

function me(bearer: string | undefined, authorization?: string) {
  return app.api.get('/api/v1/auth/me', {
    token: bearer,
    ...(authorization === undefined ? {} : { headers: { authorization } }),
  });
}

describe('GET /api/v1/auth/me', () => {
  it('responds with 200 with the account', async () => {
    expect(await me(maria.token)).toMatchObject({ status: 200, body: { id: maria.id, email: maria.email } });
  });

  it('responds with 401 with WWW-Authenticate without a token', async () => {
    const { status, body, headers } = await me(undefined);
    expect(status).toBe(401);
    expect(body).toEqual({ detail: expect.any(String), code: 'unauthenticated' });
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });

  it.each(['Bearer', 'Bearer ', 'Bearer not.a.token', 'Basic bWFyaWE6c2VjcmV0', 'Bearer a b'])(
    'responds with 401 for "Authorization: %s"',
    async (authorization) => {
      expect((await me(undefined, authorization)).status).toBe(401);
    },
  );

  it('accepts a token signed as the service signs it', async () => {
    expect((await me(token())).status).toBe(200);
  });

  const forgeries: [what: string, forgery: () => string][] = [
    ['without a signature, of algorithm none', () => token({ header: { alg: 'none' } }).replace(/[^.]*$/, '')],
    ['that says algorithm none', () => token({ header: { alg: 'none' } })],
    ['signed with another key', () => token({ key: 'a'.repeat(64) })],
    ['signed by another algorithm', () => token({ header: { alg: 'HS512' }, hash: 'sha512' })],
    ['that expired', () => token({ claims: { exp: now() - 1 } })],
    ['of another issuer', () => token({ claims: { iss: 'elsewhere' } })],
    ['for another audience', () => token({ claims: { aud: 'elsewhere' } })],
    ['without an audience', () => token({ claims: { aud: undefined } })],
    ['of an earlier version', () => token({ claims: { ver: -1 } })],
    ['without a version', () => token({ claims: { ver: undefined } })],
    ['with a version that is no number', () => token({ claims: { ver: '0' } })],
    ['of an unknown account', () => token({ claims: { sub: '00000000-0000-4000-8000-000000000000' } })],
    ['whose subject is no id', () => token({ claims: { sub: `${maria.id}' OR true --` } })],
    ['with a claim that was changed', () => token().replace(/\.[^.]*\./, `.${encode({ sub: maria.id, ver: 0 })}.`)],
  ];
  it.each(forgeries)('responds with 401 for a token %s', async (_, forgery) => {
    expect((await me(forgery())).status).toBe(401);
  });

  it('responds with 401 on both nodes after a change of the role', async () => {
    const account = await signUp(app);
    const admin = await insertAdmin(app);
    const { api } = await app.anotherNode();
    await app.api.put(`/api/v1/admin/users/${account.id}`, { token: admin.token, json: { role: 'admin' } });
    expect((await me(account.token)).status).toBe(401);
    expect((await api.get('/api/v1/auth/me', { token: account.token })).status).toBe(401);
  });

  it('responds with 401 after the account is deleted', async () => {
    const account = await signUp(app);
    await app.api.delete('/api/v1/users/me/profile', { token: account.token });
    expect((await me(account.token)).status).toBe(401);
  });
});

describe('ACCESS_TOKEN_TTL', () => {
  it('sets how long a token lives', async () => {
    const [, claims = ''] = maria.token.split('.');
    const { iat, exp }: { iat: number; exp: number } = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(exp - iat).toBe(3600);
  });
});

import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listRoutes, type Route } from '../../../src/common/auth/route-list.js';
import { Secrets } from '../../../src/config/secrets.js';
import { type Account, signUp } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';

let app: TestApp;
let maria: Account;
let revoked: string;
let routes: Route[];
beforeAll(async () => {
  app = await startTestApp();
  maria = await signUp(app);
  revoked = (await signUp(app)).token;
  routes = listRoutes(app.nest).filter(({ access }) => access?.contract === 'optional');
  await app.api.delete('/api/v1/users/me/profile', { token: revoked });
});
afterAll(() => app.close());

/** A token of the account that expired a minute ago. */
function expired(): string {
  const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [header, claims] = maria.token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
  const past = { ...(JSON.parse(claims ?? '') as object), exp: Math.floor(Date.now() / 1000) - 60 };
  const signed = `${encode(JSON.parse(header ?? '') as object)}.${encode(past)}`;
  const key = app.nest.get(Secrets).jwtSecret;
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`;
}

async function answersOfAll(authorization: string) {
  const answers = [];
  for (const { method, path } of routes) {
    const address = path.replace(/:\w*uuid/, maria.id).replace(/:\w+/g, '1');
    const { status, headers, body } = await app.api.send<{ code?: string }>(method, address, {
      headers: { authorization },
    });
    answers.push({ status, code: body.code, challenge: headers.get('www-authenticate') });
  }
  return answers;
}

describe('Every operation that is open to all and knows who is signed in', () => {
  it('is there', () => expect(routes.length).toBeGreaterThanOrEqual(6));

  it.each([
    ['an expired token', () => expired(), 'token_expired'],
    ['a broken token', () => 'not.a.token', 'token_invalid'],
    ['half a token', () => maria.token.slice(0, -9), 'token_invalid'],
    ['no token behind "Bearer"', () => '', 'token_invalid'],
    ['the token of an account that is gone', () => revoked, 'token_revoked'],
  ])('responds with 401 to %s', async (_, token, code) => {
    const refusal = { status: 401, code, challenge: 'Bearer error="invalid_token"' };
    expect(await answersOfAll(`Bearer ${token()}`)).toEqual(routes.map(() => refusal));
  });

  it.each(['Basic bWFyaWE6c2VjcmV0', 'Key abc'])(
    'treats "%s", which is not a token, as anonymous',
    async (authorization) => {
      expect((await answersOfAll(authorization)).filter(({ status }) => status === 401)).toEqual([]);
    },
  );
});

describe('GET /api/v1/auth/me', () => {
  it.each([
    ['unauthenticated', undefined],
    ['token_expired', () => expired()],
    ['token_invalid', () => 'x'],
    ['token_revoked', () => revoked],
  ])('responds with 401 with the code %s', async (code, token) => {
    expect(await app.api.get('/api/v1/auth/me', { token: token?.() })).toMatchObject({ status: 401, body: { code } });
  });
});

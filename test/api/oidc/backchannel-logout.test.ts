import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/api-client.js';
import { CookieJar } from '../../support/cookie-jar.js';
import { until } from '../../support/receiver.js';
import { beginSession, opens, refresh } from '../../support/sessions.js';
import {
  answerIn,
  finish,
  newProviderUser,
  type OidcScene,
  type SignedIn,
  signInAs,
  start,
  startOidcScene,
} from './oidc-scene.js';

let scene: OidcScene;
let other: ApiClient;

beforeAll(async () => {
  scene = await startOidcScene();
  other = (await scene.app.anotherNode()).api;
});
afterAll(() => scene?.close());

const now = () => Math.floor(Date.now() / 1_000);

async function send(logout_token: string, api: ApiClient = scene.app.api): Promise<number> {
  const body = new URLSearchParams({ logout_token });
  const response = await fetch(`${api.baseUrl}/api/v1/auth/oidc/backchannel-logout`, { method: 'POST', body });
  await response.text();
  return response.status;
}

/** A session of a user who signs in here. */
async function signedIn(): Promise<SignedIn & { sub: string; sid: string }> {
  const user = newProviderUser(scene.provider);
  let sid = '';
  scene.provider.tamper = (claims) => {
    sid = String(claims['sid']);
    return claims;
  };
  const { body } = await signInAs(scene, user);
  scene.provider.tamper = null;
  return { ...body, sub: user.sub, sid };
}

describe('POST /api/v1/auth/oidc/backchannel-logout', () => {
  it('ends the session of a session at the provider, and no other', async () => {
    const [one, another] = [await signedIn(), await signedIn()];
    expect(one.sid).not.toBe('undefined');
    expect(await send(await scene.provider.logoutToken({ sid: one.sid }))).toBe(200);
    expect(await opens(scene.app.api, one.access_token)).toBe(false);
    expect((await refresh(scene.app.api, one.refresh_token)).status).toBe(401);
    expect(await opens(scene.app.api, another.access_token)).toBe(true);
  });

  it('ends all sessions of a user that began with the provider, on all nodes, and those of a password not', async () => {
    const one = await signedIn();
    const { id, username, email } = (
      await scene.app.api.get<{ id: string; username: string; email: string }>('/api/v1/auth/me', {
        token: one.access_token,
      })
    ).body;
    const own = await beginSession(scene.app, { id, username, email, token: '' });
    expect(await opens(other, one.access_token)).toBe(true);
    expect(await send(await scene.provider.logoutToken({ sub: one.sub }))).toBe(200);
    await until(async () => !(await opens(other, one.access_token)));
    expect(await opens(scene.app.api, one.access_token)).toBe(false);
    expect(await opens(scene.app.api, own.access)).toBe(true);
  });

  it('is what the provider calls when its session ends', async () => {
    const user = newProviderUser(scene.provider);
    const jar = new CookieJar();
    const begun = await start(scene.app.api);
    const end = await scene.provider.visit(begun.authorization_url, user.sub, jar);
    const { body } = await finish(scene.app.api, { login_token: begun.login_token, ...answerIn(end) });
    expect(await opens(scene.app.api, body.access_token)).toBe(true);
    await scene.provider.signOut(jar);
    expect(await opens(scene.app.api, body.access_token)).toBe(false);
  });

  it('takes a token once, on whichever node', async () => {
    const { sub } = await signedIn();
    const token = await scene.provider.logoutToken({ sub });
    expect([await send(token), await send(token), await send(token, other)]).toEqual([200, 400, 400]);
  });

  it.each<[string, Record<string, unknown>]>([
    ['for another audience', { aud: 'another-client' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['without the event', { events: {} }],
    ['with a nonce', { nonce: 'one' }],
    ['without an id', { jti: undefined }],
    ['without a time', { iat: undefined }],
    ['that has expired', { iat: now() - 200, exp: now() - 60 }],
    ['that is old', { iat: now() - 3_600, exp: now() + 3_600 }],
    ['of the future', { iat: now() + 3_600, exp: now() + 7_200 }],
    ['about nobody', { sub: undefined }],
  ])('refuses a token %s', async (_name, claims) => {
    const { sub, access_token } = await signedIn();
    expect(await send(await scene.provider.logoutToken({ sub, ...claims }))).toBe(400);
    expect(await opens(scene.app.api, access_token)).toBe(true);
  });

  it('refuses a token without a signature, of a shared secret, and what is no token', async () => {
    const { sub, access_token } = await signedIn();
    const [, payload = ''] = (await scene.provider.logoutToken({ sub })).split('.');
    const headed = (alg: string) => Buffer.from(JSON.stringify({ alg, typ: 'logout+jwt' })).toString('base64url');
    for (const token of [`${headed('none')}.${payload}.`, `${headed('HS256')}.${payload}.c2lnbmF0dXJl`, 'nothing']) {
      expect(await send(token)).toBe(400);
    }
    expect(await opens(scene.app.api, access_token)).toBe(true);
  });

  it('refuses a form without a token', async () => {
    const url = `${scene.app.baseUrl}/api/v1/auth/oidc/backchannel-logout`;
    for (const body of [new URLSearchParams(), new URLSearchParams({ logout_token: 'x'.repeat(17_000) }), '{}']) {
      const { status } = await fetch(url, { method: 'POST', body });
      expect(status).toBe(422);
    }
  });
});

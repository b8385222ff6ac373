import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { signIn, signUp, signUpAdmin } from '../../support/accounts.js';
import { startTestApp, type TestApp } from '../../support/test-app.js';
import { answerIn, finish, newProviderUser, type OidcScene, signInAs, start, startOidcScene } from './oidc-scene.js';

let scene: OidcScene | undefined;
let app: TestApp | undefined;

beforeEach(async () => {
  await scene?.close();
  scene = undefined;
});
afterAll(async () => {
  await scene?.close();
  await app?.close();
});

describe('A provider that is away', () => {
  it.each(['away', 'broken', 'silent'] as const)('is told as such, and passwords go on working: %s', async (mood) => {
    const { app: service, provider } = (scene = await startOidcScene({ env: { OIDC_TIMEOUT_SECONDS: '1' } }));
    const { username, password } = await signUp(service);
    provider.mood = mood;
    const { status, body } = await service.api.post<{ code: string }>('/api/v1/auth/oidc/start', { json: {} });
    expect([status, body.code]).toEqual([503, 'provider_unavailable']);
    expect(await signIn(service, username, password)).toEqual(expect.any(String));
    // It is asked again once it is back.
    provider.mood = 'well';
    await service.api.post('/api/v1/auth/oidc/start', { json: {} });
    expect((await service.api.post('/api/v1/auth/oidc/start', { json: {} })).status).toBe(200);
  });

  it('is told as such in the middle of a sign-in', async () => {
    scene = await startOidcScene();
    const user = newProviderUser(scene.provider);
    const { authorization_url, login_token } = await start(scene.app.api);
    const answer = answerIn(await scene.provider.visit(authorization_url, user.sub));
    scene.provider.mood = 'away';
    const { status, body } = await finish(scene.app.api, { login_token, ...answer });
    expect([status, body.code]).toEqual([503, 'provider_unavailable']);
  });
});

describe('OIDC_ONLY', () => {
  it('refuses the passwords of admins, and of nobody else', async () => {
    scene = await startOidcScene({ env: { OIDC_ONLY: 'true' } });
    const [admin, user] = [await signUpAdmin(scene.app), await signUp(scene.app)];
    const { username, password } = admin;
    const { status, body } = await scene.app.api.post<{ code: string }>('/api/v1/auth/login', {
      json: { username, password },
    });
    expect([status, body.code]).toEqual([403, 'provider_only']);
    expect(await signIn(scene.app, user.username, user.password)).toEqual(expect.any(String));
    expect((await scene.app.api.get('/api/v1/auth/oidc')).body).toMatchObject({ admins_by_provider_only: true });
    const staff = newProviderUser(scene.provider, { groups: ['shop-admins'] });
    const token = (await signInAs(scene, staff)).body.access_token;
    expect((await scene.app.api.get('/api/v1/admin/users', { token })).status).toBe(200);
    const again = await scene.app.api.post<{ code: string }>('/api/v1/auth/reauthenticate', {
      token,
      json: { password: 'whatever' },
    });
    expect([again.status, again.body.code]).toEqual([403, 'provider_only']);
  });
});

describe('A service without a provider', () => {
  it('says so', async () => {
    app = await startTestApp();
    expect((await app.api.get('/api/v1/auth/oidc')).body).toEqual({ label: null, admins_by_provider_only: false });
    for (const path of ['start', 'device']) {
      const { status, body } = await app.api.post<{ code: string }>(`/api/v1/auth/oidc/${path}`, { json: {} });
      expect([status, body.code]).toEqual([404, 'sign_in_off']);
    }
    const answer = { login_token: 'one', state: 'console.one', code: 'one' };
    expect((await finish(app.api, answer)).status).toBe(404);
  });
});

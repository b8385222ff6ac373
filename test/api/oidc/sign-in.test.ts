import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertUser } from '../../support/accounts.js';
import { answerIn, finish, newProviderUser, type OidcScene, signInAs, start, startOidcScene } from './oidc-scene.js';

interface Me {
  id: string;
  username: string;
  email: string;
  email_verified: boolean;
  role: string;
  role_source: string;
  first_name: string | null;
}

let scene: OidcScene;

beforeAll(async () => {
  scene = await startOidcScene();
});
afterAll(() => scene?.close());
beforeEach(() => {
  scene.provider.mood = 'well';
  scene.provider.tamper = null;
  scene.provider.unsigned = false;
});

const me = async (token: string) => (await scene.app.api.get<Me>('/api/v1/auth/me', { token })).body;

describe('GET /api/v1/auth/oidc', () => {
  it('tells the name of the provider', async () => {
    const { body } = await scene.app.api.get('/api/v1/auth/oidc');
    expect(body).toEqual({ label: 'Example Login', admins_by_provider_only: false });
  });
});

describe('The first sign-in with the provider', () => {
  it('makes an account, and begins a session as a password does', async () => {
    const user = newProviderUser(scene.provider, { given_name: 'Maria' });
    const { status, body } = await signInAs(scene, user);
    expect(status).toBe(200);
    expect(await me(body.access_token)).toMatchObject({
      username: user.preferred_username,
      email: user.email,
      email_verified: true,
      role: 'user',
      role_source: 'default',
      first_name: 'Maria',
    });
    const refreshed = await scene.app.api.post('/api/v1/auth/refresh', { json: { refresh_token: body.refresh_token } });
    expect(refreshed.status).toBe(200);
  });

  it('finds the same account again', async () => {
    const user = newProviderUser(scene.provider);
    const first = await me((await signInAs(scene, user)).body.access_token);
    user.email = 'another@company.example';
    expect(await me((await signInAs(scene, user)).body.access_token)).toMatchObject({
      id: first.id,
      email: first.email,
    });
  });

  it('takes another username where somebody has it', async () => {
    const { username } = await insertUser(scene.app);
    const { body } = await signInAs(scene, newProviderUser(scene.provider, { preferred_username: username }));
    expect((await me(body.access_token)).username).toBe(`${username}.2`);
  });

  it('takes another username where it is reserved', async () => {
    const { body } = await signInAs(scene, newProviderUser(scene.provider, { preferred_username: 'admin' }));
    expect((await me(body.access_token)).username).toBe('admin.2');
  });

  it('is refused where an account has the e-mail address, confirmed or not', async () => {
    const { email } = await insertUser(scene.app);
    const { status, body } = await signInAs(scene, newProviderUser(scene.provider, { email }));
    expect([status, body.code]).toEqual([409, 'account_exists']);
  });

  it('is refused without an e-mail address', async () => {
    const user = newProviderUser(scene.provider);
    delete user.email;
    const { status, body } = await signInAs(scene, user);
    expect([status, body.code]).toEqual([400, 'email_missing']);
  });

  it('makes one account where it happens twice at once', async () => {
    const user = newProviderUser(scene.provider);
    const both = await Promise.all(
      [0, 1].map(async () => {
        const begun = await start(scene.app.api);
        const end = await scene.provider.visit(begun.authorization_url, user.sub);
        return { login_token: begun.login_token, ...answerIn(end) };
      }),
    );
    const answers = await Promise.all(both.map((answer) => finish(scene.app.api, answer)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const owners = await Promise.all(answers.map(({ body }) => me(body.access_token)));
    expect(owners[0]?.id).toBe(owners[1]?.id);
  });
});

describe('The answer of the provider', () => {
  it('works once', async () => {
    const user = newProviderUser(scene.provider);
    const { authorization_url, login_token } = await start(scene.app.api);
    const answer = { login_token, ...answerIn(await scene.provider.visit(authorization_url, user.sub)) };
    expect((await finish(scene.app.api, answer)).status).toBe(200);
    const { status, body } = await finish(scene.app.api, answer);
    expect([status, body.code]).toEqual([401, 'sign_in_ended']);
  });
});

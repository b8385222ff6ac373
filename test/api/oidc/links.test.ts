import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Account, insertUser, signUp } from '../../support/accounts.js';
import {
  answerIn,
  finish,
  newProviderUser,
  type OidcScene,
  signInAs,
  type Started,
  startOidcScene,
} from './oidc-scene.js';

interface Link {
  id: string;
  issuer: string;
  name: string;
  code?: string;
}

const path = '/api/v1/users/me/provider-links';
let scene: OidcScene;
let owner: Account;

beforeAll(async () => {
  scene = await startOidcScene();
  owner = await signUp(scene.app);
});
afterAll(() => scene?.close());

/** What an account sends to be linked with a user. */
async function answerTo(token: string, sub: string) {
  const begun = await scene.app.api.post<Started>(`${path}/start`, { token, json: {} });
  const { authorization_url, login_token } = begun.body;
  return { login_token, ...answerIn(await scene.provider.visit(authorization_url, sub)) };
}

const link = async (token: string, sub: string) =>
  scene.app.api.post<Link>(path, { token, json: await answerTo(token, sub) });
const list = async (token: string) => (await scene.app.api.get<Link[]>(path, { token })).body;

describe('A link with the provider', () => {
  it('lets its user sign in to an account, and is removed again', async () => {
    const user = newProviderUser(scene.provider, { email: owner.email });
    expect((await signInAs(scene, user)).status).toBe(409);
    const made = await link(owner.token, user.sub);
    expect(made.status).toBe(201);
    expect(await list(owner.token)).toMatchObject([
      { id: made.body.id, issuer: scene.provider.issuer, name: user.preferred_username },
    ]);
    const { body } = await signInAs(scene, user);
    const me = await scene.app.api.get<{ id: string }>('/api/v1/auth/me', { token: body.access_token });
    expect(me.body.id).toBe(owner.id);
    expect((await scene.app.api.delete(`${path}/${made.body.id}`, { token: owner.token })).status).toBe(204);
    expect((await signInAs(scene, user)).status).toBe(409);
    expect(await list(owner.token)).toEqual([]);
  });

  it('is one of a user and one of an account', async () => {
    const [one, other] = [await insertUser(scene.app), await insertUser(scene.app)];
    const [first, second] = [newProviderUser(scene.provider), newProviderUser(scene.provider)];
    expect((await link(one.token, first.sub)).status).toBe(201);
    for (const [token, sub] of [
      [other.token, first.sub],
      [one.token, second.sub],
      [one.token, first.sub],
    ] as const) {
      const { status, body } = await link(token, sub);
      expect([status, body.code]).toEqual([409, 'already_linked']);
    }
  });

  it('is not made by the answer to a sign-in of somebody else, nor signs in', async () => {
    const [one, other] = [await insertUser(scene.app), await insertUser(scene.app)];
    const user = newProviderUser(scene.provider);
    const answer = await answerTo(one.token, user.sub);
    expect((await scene.app.api.post<Link>(path, { token: other.token, json: answer })).body.code).toBe(
      'sign_in_ended',
    );
    const { body } = await finish(scene.app.api, await answerTo(one.token, user.sub));
    expect(body.code).toBe('sign_in_ended');
    expect(await list(other.token)).toEqual([]);
  });

  it('is not removed from an account without a password', async () => {
    const { body } = await signInAs(scene, newProviderUser(scene.provider));
    const token = body.access_token;
    const [only] = await list(token);
    const removed = await scene.app.api.delete<Link>(`${path}/${only?.id ?? ''}`, { token });
    expect([removed.status, removed.body.code]).toEqual([409, 'password_needed']);
  });

  it('is nobody else’s to remove', async () => {
    const [only] = await list((await signInAs(scene, newProviderUser(scene.provider))).body.access_token);
    expect((await scene.app.api.delete(`${path}/${only?.id ?? ''}`, { token: owner.token })).status).toBe(404);
  });

  it('is in the export of the account, and goes with it', async () => {
    const user = newProviderUser(scene.provider);
    const token = (await signInAs(scene, user)).body.access_token;
    const exported = await scene.app.api.get<{ provider_links: object[] }>('/api/v1/users/me/export', { token });
    expect(exported.body.provider_links).toMatchObject([{ issuer: scene.provider.issuer, subject: user.sub }]);
    expect((await scene.app.api.delete('/api/v1/users/me/profile', { token })).status).toBe(200);
    const rows = await scene.app.database.rows('SELECT FROM oidc_identities WHERE subject = $1', [user.sub]);
    expect(rows).toEqual([]);
    expect((await signInAs(scene, user)).status).toBe(200);
  });
});

describe('The time at which the user signed in at the provider', () => {
  it('counts as the login: an old one is no recent login', async () => {
    scene.provider.tamper = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 3_600 });
    const { body } = await signInAs(scene, newProviderUser(scene.provider));
    scene.provider.tamper = null;
    const begun = await scene.app.api.post<{ code: string }>(`${path}/start`, { token: body.access_token, json: {} });
    expect([begun.status, begun.body.code]).toEqual([401, 'reauthentication_required']);
  });

  it('has to be of now where the sign-in is to be fresh', async () => {
    const user = newProviderUser(scene.provider);
    const fresh = async () => {
      const { body } = await scene.app.api.post<Started>('/api/v1/auth/oidc/start', { json: { fresh: true } });
      const end = await scene.provider.visit(body.authorization_url, user.sub);
      return (await finish(scene.app.api, { login_token: body.login_token, ...answerIn(end) })).status;
    };
    expect(await fresh()).toBe(200);
    scene.provider.tamper = (claims) => ({ ...claims, auth_time: Math.floor(Date.now() / 1_000) - 3_600 });
    expect(await fresh()).toBe(401);
    scene.provider.tamper = ({ auth_time: _left, ...claims }) => claims;
    expect(await fresh()).toBe(401);
    scene.provider.tamper = null;
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { insertAdmin } from '../../support/accounts.js';
import { opens } from '../../support/sessions.js';
import { newProviderUser, type OidcScene, signInAs, startOidcScene } from './oidc-scene.js';

interface Me {
  id: string;
  role: string;
  role_source: string;
}

let scene: OidcScene;
let admin: string;

beforeAll(async () => {
  scene = await startOidcScene();
  admin = (await insertAdmin(scene.app)).token;
});
afterAll(() => scene?.close());

const me = async (token: string) => (await scene.app.api.get<Me>('/api/v1/auth/me', { token })).body;
const setRole = (id: string, role: string) =>
  scene.app.api.put(`/api/v1/admin/users/${id}`, { token: admin, json: { role } });

describe('Groups at the provider', () => {
  it('make an admin, and no longer do once they change', async () => {
    const user = newProviderUser(scene.provider, { groups: ['staff', 'shop-admins'] });
    const first = (await signInAs(scene, user)).body.access_token;
    expect(await me(first)).toMatchObject({ role: 'admin', role_source: 'groups' });
    expect((await scene.app.api.get('/api/v1/admin/users', { token: first })).status).toBe(200);
    user.groups = ['staff'];
    const second = (await signInAs(scene, user)).body.access_token;
    expect(await me(second)).toMatchObject({ role: 'user', role_source: 'default' });
    expect(await opens(scene.app.api, first)).toBe(false);
  });

  it('neither take a role that was set by hand, nor give one', async () => {
    const user = newProviderUser(scene.provider);
    const { id } = await me((await signInAs(scene, user)).body.access_token);
    await setRole(id, 'admin');
    expect(await me((await signInAs(scene, user)).body.access_token)).toMatchObject({
      role: 'admin',
      role_source: 'hand',
    });
    await setRole(id, 'user');
    user.groups = ['shop-admins'];
    expect(await me((await signInAs(scene, user)).body.access_token)).toMatchObject({
      role: 'user',
      role_source: 'hand',
    });
  });

  it('leave an admin by group who is confirmed by hand', async () => {
    const user = newProviderUser(scene.provider, { groups: ['shop-admins'] });
    const { id } = await me((await signInAs(scene, user)).body.access_token);
    await setRole(id, 'admin');
    user.groups = [];
    expect((await me((await signInAs(scene, user)).body.access_token)).role).toBe('admin');
  });

  it('make nobody an admin by a name that only looks like one', async () => {
    const user = newProviderUser(scene.provider, { groups: ['shop-admins2', 'Shop-Admins', ' shop-admins'] });
    expect((await me((await signInAs(scene, user)).body.access_token)).role).toBe('user');
  });

  it('do not take the role of the last admin', async () => {
    const user = newProviderUser(scene.provider, { groups: ['shop-admins'] });
    const { id } = await me((await signInAs(scene, user)).body.access_token);
    const others = `UPDATE users SET role = $1 WHERE role = $2 AND id <> $3 RETURNING id`;
    const demoted = await scene.app.database.rows<{ id: string }>(others, ['user', 'admin', id]);
    user.groups = [];
    const { status, body } = await signInAs(scene, user);
    expect([status, body.code]).toEqual([409, 'last_admin']);
    const ids = demoted.map((row) => row.id);
    await scene.app.database.rows(`UPDATE users SET role = 'admin' WHERE id = ANY ($1::uuid[])`, [ids]);
    expect((await signInAs(scene, user)).status).toBe(200);
  });
});

describe('A suspended account', () => {
  it('is not signed in to by the provider', async () => {
    const user = newProviderUser(scene.provider);
    const { id } = await me((await signInAs(scene, user)).body.access_token);
    await scene.app.api.put(`/api/v1/admin/users/${id}`, { token: admin, json: { suspended: true } });
    const { status, body } = await signInAs(scene, user);
    expect([status, body.code]).toEqual([403, 'account_suspended']);
  });
});

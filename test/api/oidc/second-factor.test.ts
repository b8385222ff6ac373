import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiAnswer } from '../../support/api-client.js';
import { codeOf } from '../../support/one-time-codes.js';
import type { ProviderUser } from '../../support/oidc-server.js';
import { opens } from '../../support/sessions.js';
import { newProviderUser, type OidcScene, type SignedIn, signInAs, startOidcScene } from './oidc-scene.js';

type Answer = SignedIn & { requires_totp: boolean; temp_token: string | null };

let scene: OidcScene;
beforeAll(async () => {
  const env = { ADMIN_TOTP: 'required', ACCESS_POLICY: 'hardened', OIDC_MFA_ACR: 'gold, urn:two' };
  scene = await startOidcScene({ env });
});
afterAll(() => scene?.close());

const newAdmin = () => newProviderUser(scene.provider, { groups: ['shop-admins'] });

/** Signs in while the provider says this of how. */
async function signInBy(user: ProviderUser, said: Record<string, unknown> = {}): Promise<ApiAnswer<Answer>> {
  scene.provider.tamper = (claims) => ({ ...claims, ...said });
  try {
    return (await signInAs(scene, user)) as ApiAnswer<Answer>;
  } finally {
    scene.provider.tamper = null;
  }
}

async function statusAt(token: string): Promise<[number, string | undefined]> {
  const { status, body } = await scene.app.api.get<{ code?: string }>('/api/v1/admin/users', { token });
  return [status, body.code];
}

/** Turns two-factor login on, and returns its secret. */
async function enable(token: string): Promise<string> {
  const { secret } = (await scene.app.api.get<{ secret: string }>('/api/v1/totp/setup', { token })).body;
  const { status } = await scene.app.api.post('/api/v1/totp/enable', { token, json: { token: codeOf(secret) } });
  expect(status).toBe(200);
  return secret;
}

/** A code that was not used yet. */
async function unusedCode(secret: string): Promise<string> {
  await scene.app.database.rows('UPDATE users SET totp_last_step = 0');
  return codeOf(secret);
}

const giveCode = (temp_token: string | null, totp_code: string) =>
  scene.app.api.post<SignedIn>('/api/v1/auth/login/totp', { json: { temp_token, totp_code } });

describe('With ADMIN_TOTP=required, an admin who signs in with the provider', () => {
  it.each([
    ['amr has mfa', { amr: ['pwd', 'mfa'] }],
    ['acr is one of OIDC_MFA_ACR', { acr: 'gold' }],
    ['acr is another one of them', { acr: 'urn:two' }],
  ])('needs no factor of ours where %s, after a renewal of the token too', async (_, said) => {
    const { body } = await signInBy(newAdmin(), said);
    expect(body).toMatchObject({ requires_totp: false, temp_token: null });
    expect(await statusAt(body.access_token)).toEqual([200, undefined]);
    const renewed = await scene.app.api.post<SignedIn>('/api/v1/auth/refresh', {
      json: { refresh_token: body.refresh_token },
    });
    expect(await statusAt(renewed.body.access_token)).toEqual([200, undefined]);
  });

  it.each([
    ['nothing', {}],
    ['one factor', { amr: ['pwd'], acr: 'silver' }],
    ['what only looks like two', { amr: 'mfa', acr: ['gold'] }],
  ])('acts as a user where the provider says %s, until they have two-factor login of ours', async (_, said) => {
    const { body } = await signInBy(newAdmin(), said);
    expect(await statusAt(body.access_token)).toEqual([403, 'totp_required']);
    await enable(body.access_token);
    expect(await statusAt(body.access_token)).toEqual([200, undefined]);
  });

  it('is asked for a code of it then, and gets a session that the provider can end', async () => {
    const admin = newAdmin();
    const first = await signInBy(admin);
    const secret = await enable(first.body.access_token);
    const { status, body } = await signInBy(admin, { sid: 'session-of-the-provider' });
    expect([status, body.requires_totp, body.access_token, body.refresh_token]).toEqual([200, true, null, undefined]);
    expect((await giveCode(body.temp_token, '000000')).status).toBe(401);
    const { body: signedIn } = await giveCode(body.temp_token, await unusedCode(secret));
    expect(await statusAt(signedIn.access_token)).toEqual([200, undefined]);
    expect((await giveCode(body.temp_token, codeOf(secret))).body).toMatchObject({ code: 'login_ended' });
    const logout_token = await scene.provider.logoutToken({ sid: 'session-of-the-provider' });
    const path = '/api/v1/auth/oidc/backchannel-logout';
    const sent = { method: 'POST', body: new URLSearchParams({ logout_token }) };
    expect((await fetch(scene.app.baseUrl + path, sent)).ok).toBe(true);
    expect(await opens(scene.app.api, signedIn.access_token)).toBe(false);
    expect(await opens(scene.app.api, first.body.access_token)).toBe(true);
    expect((await signInBy(admin, { amr: ['mfa'] })).body.requires_totp).toBe(false);
  });

  it('asks customers for nothing, with two-factor login or without', async () => {
    const customer = newProviderUser(scene.provider);
    const { body } = await signInBy(customer);
    await enable(body.access_token);
    expect((await signInBy(customer)).body.requires_totp).toBe(false);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OidcServer } from '../../support/oidc-server.js';
import { answerIn, finish, newProviderUser, type OidcScene, signInAs, start, startOidcScene } from './oidc-scene.js';

let scene: OidcScene;

beforeAll(async () => {
  scene = await startOidcScene();
});
afterAll(() => scene?.close());
beforeEach(() => {
  scene.provider.tamper = null;
  scene.provider.unsigned = false;
});

const now = () => Math.floor(Date.now() / 1_000);

/** The answer to a sign-in that begins here, and is not ended yet. */
async function answered(): Promise<Record<string, string>> {
  const user = newProviderUser(scene.provider);
  const { authorization_url, login_token } = await start(scene.app.api);
  return { login_token, ...answerIn(await scene.provider.visit(authorization_url, user.sub)) };
}

async function refused(answer: object) {
  const { status, body } = await finish(scene.app.api, answer);
  return [status, body.code];
}

describe('An answer of the provider', () => {
  it('is refused with the token of another sign-in', async () => {
    const [mine, other] = [await answered(), await start(scene.app.api)];
    expect(await refused({ ...mine, login_token: other.login_token })).toEqual([401, 'sign_in_failed']);
  });

  it('is refused with a token that began nothing, and with none', async () => {
    expect(await refused({ ...(await answered()), login_token: 'made-up' })).toEqual([401, 'sign_in_ended']);
    const { login_token: _kept, ...rest } = await answered();
    expect((await finish(scene.app.api, rest)).status).toBe(422);
  });

  it('is refused with the code of another sign-in', async () => {
    const [mine, other] = [await answered(), await answered()];
    expect(await refused({ ...mine, code: other['code'] })).toEqual([401, 'sign_in_failed']);
  });

  it('is refused with a code that was used', async () => {
    const first = await answered();
    expect((await finish(scene.app.api, first)).status).toBe(200);
    const again = await answered();
    expect(await refused({ ...again, code: first['code'] })).toEqual([401, 'sign_in_failed']);
  });

  it('is refused with the state of another sign-in', async () => {
    const [mine, other] = [await answered(), await answered()];
    expect(await refused({ ...mine, state: other['state'] })).toEqual([401, 'sign_in_failed']);
  });

  it('is refused from another issuer, and from none', async () => {
    expect(await refused({ ...(await answered()), iss: 'https://evil.example' })).toEqual([401, 'sign_in_failed']);
    const { iss: _left, ...rest } = await answered();
    expect(await refused(rest)).toEqual([401, 'sign_in_failed']);
  });

  it('is refused after ten minutes', async () => {
    const mine = await answered();
    await scene.app.database.rows(`UPDATE oidc_logins SET expires_at = now() - interval '1 second'`);
    expect(await refused(mine)).toEqual([401, 'sign_in_ended']);
  });

  it('is told as a refusal where the user would not', async () => {
    const { authorization_url, login_token } = await start(scene.app.api);
    const end = await scene.provider.visit(authorization_url, 'nobody');
    expect(await refused({ login_token, ...answerIn(end) })).toEqual([400, 'sign_in_denied']);
  });
});

describe('An ID token', () => {
  it.each<[string, (claims: Record<string, unknown>) => Record<string, unknown>]>([
    ['for another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['of another issuer', (claims) => ({ ...claims, iss: 'https://evil.example' })],
    ['with another nonce', (claims) => ({ ...claims, nonce: 'another' })],
    ['without a nonce', ({ nonce: _left, ...claims }) => claims],
    ['that has expired', (claims) => ({ ...claims, iat: now() - 700, exp: now() - 60 })],
    ['for several audiences and another party', (claims) => ({ ...claims, aud: ['store', 'other'], azp: 'other' })],
    [
      'with a user that is too long',
      (claims) => ({ ...claims, email: 'a@b.example', groups: [], sub: 'x'.repeat(256) }),
    ],
  ])('is refused %s', async (_name, tamper) => {
    scene.provider.tamper = tamper;
    const { status, body } = await signInAs(scene, newProviderUser(scene.provider));
    expect([status, body.code]).toEqual([401, 'sign_in_failed']);
  });

  it('is refused without a signature', async () => {
    scene.provider.unsigned = true;
    const { status, body } = await signInAs(scene, newProviderUser(scene.provider));
    expect([status, body.code]).toEqual([401, 'sign_in_failed']);
  });

  it('is refused with a signature of another key', async () => {
    const other = await OidcServer.start();
    const sign = scene.provider.sign.bind(scene.provider);
    scene.provider.tamper = (claims) => claims;
    scene.provider.sign = (claims) => other.sign(claims);
    const { status, body } = await signInAs(scene, newProviderUser(scene.provider));
    scene.provider.sign = sign;
    await other.close();
    expect([status, body.code]).toEqual([401, 'sign_in_failed']);
  });

  it('may be of a clock that is some seconds ahead or behind', async () => {
    for (const seconds of [20, -20]) {
      scene.provider.tamper = (claims) => ({ ...claims, iat: now() + seconds, exp: now() + Math.min(seconds, 0) + 5 });
      expect((await signInAs(scene, newProviderUser(scene.provider))).status).toBe(200);
    }
  });
});

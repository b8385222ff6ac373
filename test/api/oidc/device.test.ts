import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newProviderUser, type OidcScene, type SignedIn, startOidcScene } from './oidc-scene.js';

interface Device {
  login_token: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

let scene: OidcScene;

beforeAll(async () => {
  scene = await startOidcScene();
});
afterAll(() => scene?.close());

const begin = async () => (await scene.app.api.post<Device>('/api/v1/auth/oidc/device')).body;
const due = () => scene.app.database.rows(`UPDATE oidc_logins SET next_poll_at = now()`);
async function ask(login_token: string) {
  const { status, body } = await scene.app.api.post<SignedIn>('/api/v1/auth/oidc/device/finish', {
    json: { login_token },
  });
  return { status, ...body };
}

describe('The sign-in of a device', () => {
  it('begins a session once its user has confirmed it, and works once', async () => {
    const user = newProviderUser(scene.provider);
    const { login_token, verification_uri_complete } = await begin();
    await due();
    expect(await ask(login_token)).toMatchObject({ status: 400, code: 'authorization_pending' });
    await scene.provider.confirmDevice(verification_uri_complete, user.sub);
    await due();
    const { status, access_token } = await ask(login_token);
    expect(status).toBe(200);
    const me = await scene.app.api.get<{ username: string }>('/api/v1/auth/me', { token: access_token });
    expect(me.body.username).toBe(user.preferred_username);
    expect(await ask(login_token)).toMatchObject({ status: 401, code: 'sign_in_ended' });
  });

  it('is asked for no more often than the interval, which grows by five seconds then', async () => {
    const { login_token, interval } = await begin();
    const before = scene.provider.requests.length;
    for (let n = 0; n < 3; n++) expect(await ask(login_token)).toMatchObject({ status: 400, code: 'slow_down' });
    expect(scene.provider.requests.length).toBe(before);
    const [row] = await scene.app.database.rows<{ poll_seconds: number }>(
      'SELECT poll_seconds FROM oidc_logins WHERE next_poll_at > now() ORDER BY expires_at DESC LIMIT 1',
    );
    expect(row?.poll_seconds).toBe(interval + 15);
  });

  it('is refused where its user would not', async () => {
    const user = newProviderUser(scene.provider);
    const { login_token, verification_uri_complete } = await begin();
    await scene.provider.confirmDevice(verification_uri_complete, user.sub, { isRefused: true });
    await due();
    expect(await ask(login_token)).toMatchObject({ status: 400, code: 'sign_in_denied' });
    expect(await ask(login_token)).toMatchObject({ status: 401, code: 'sign_in_ended' });
  });

  it('is over when its time is', async () => {
    const { login_token } = await begin();
    await scene.app.database.rows(`UPDATE oidc_logins SET expires_at = now() - interval '1 second'`);
    expect(await ask(login_token)).toMatchObject({ status: 401, code: 'sign_in_ended' });
  });

  it('keeps the code of the provider sealed', async () => {
    await begin();
    const rows = await scene.app.database.rows<{ device_code: string }>(
      'SELECT device_code FROM oidc_logins WHERE device_code IS NOT NULL',
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { device_code } of rows) expect(device_code.length).toBeGreaterThan(60);
  });

  it('may be asked for again after the provider was away', async () => {
    const { login_token } = await begin();
    await due();
    scene.provider.mood = 'broken';
    expect(await ask(login_token)).toMatchObject({ status: 503, code: 'provider_unavailable' });
    scene.provider.mood = 'well';
    await due();
    expect(await ask(login_token)).toMatchObject({ status: 400, code: 'authorization_pending' });
  });
});

import { insertUser } from '../../support/accounts.js';
import type { OidcServer } from '../../support/oidc-server.js';
import type { TestApp } from '../../support/test-app.js';
import { answerIn, newProviderUser, signInAs, start, type Started } from '../oidc/oidc-scene.js';
import type { RouteCalls } from './route-calls.js';

const links = '/api/v1/users/me/provider-links';

/** The calls of sign-in with a provider, by users whom the service knows already. */
export function providerCalls(scene: { app: TestApp; provider: OidcServer }): RouteCalls {
  const { app, provider } = scene;
  const known = async () => {
    const user = newProviderUser(provider);
    const { body } = await signInAs(scene, user);
    return { ...user, token: body.access_token };
  };
  /** An account with a password, and what links it. */
  const toLink = async () => {
    const { token, id } = await insertUser(app);
    await app.database.rows(`UPDATE users SET password_hash = '$argon2id$' WHERE id = $1`, [id]);
    const begun = (await app.api.post<Started>(`${links}/start`, { token, json: {} })).body;
    const end = await provider.visit(begun.authorization_url, newProviderUser(provider).sub);
    return { token, json: { login_token: begun.login_token, ...answerIn(end) } };
  };
  return {
    'POST /api/v1/auth/oidc/finish': async () => {
      const { sub } = await known();
      const { authorization_url, login_token } = await start(app.api);
      const json = { login_token, ...answerIn(await provider.visit(authorization_url, sub)) };
      return () => app.api.post('/api/v1/auth/oidc/finish', { json });
    },
    'POST /api/v1/auth/oidc/device/finish': async () => {
      const { sub } = await known();
      const { body } = await app.api.post<{ login_token: string; verification_uri_complete: string }>(
        '/api/v1/auth/oidc/device',
      );
      await provider.confirmDevice(body.verification_uri_complete, sub);
      await app.database.rows('UPDATE oidc_logins SET next_poll_at = now()');
      return () => app.api.post('/api/v1/auth/oidc/device/finish', { json: { login_token: body.login_token } });
    },
    'POST /api/v1/auth/oidc/backchannel-logout': async () => {
      const raw = new URLSearchParams({ logout_token: await provider.logoutToken({ sub: (await known()).sub }) });
      return () => app.api.post('/api/v1/auth/oidc/backchannel-logout', { raw });
    },
    [`POST ${links}`]: async () => {
      const request = await toLink();
      return () => app.api.post(links, request);
    },
    [`DELETE ${links}/:link_id`]: async () => {
      const { token, json } = await toLink();
      const { body } = await app.api.post<{ id: string }>(links, { token, json });
      return () => app.api.delete(`${links}/${body.id}`, { token });
    },
  };
}

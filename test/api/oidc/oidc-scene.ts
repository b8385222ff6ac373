import { OidcServer, type ProviderUser } from '../../support/oidc-server.js';
import type { ApiAnswer, ApiClient } from '../../support/api-client.js';
import { startTestApp, type TestApp, type TestAppChoices } from '../../support/test-app.js';

export interface Started {
  authorization_url: string;
  login_token: string;
}

export interface SignedIn {
  access_token: string;
  refresh_token: string;
  code?: string;
  detail?: string;
}

export interface OidcScene {
  app: TestApp;
  provider: OidcServer;
  close(): Promise<void>;
}

/** A service with a provider. */
export async function startOidcScene({ env = {}, ...choices }: TestAppChoices = {}): Promise<OidcScene> {
  const provider = await OidcServer.start();
  const app = await startTestApp({ ...choices, env: { ...provider.env, ...env } });
  provider.register(app.baseUrl);
  return {
    app,
    provider,
    close: async () => {
      await app.close();
      await provider.close();
    },
  };
}

let count = 0;

/** A user of the provider that no other test uses. */
export function newProviderUser(provider: OidcServer, choices: Partial<ProviderUser> = {}): ProviderUser {
  const name = `person${++count}`;
  const user = {
    sub: `sub-${name}`,
    preferred_username: name,
    email: `${name}@company.example`,
    email_verified: true,
    ...choices,
  };
  provider.add(user);
  return user;
}

export async function start(api: ApiClient, body: object = {}): Promise<Started> {
  return (await api.post<Started>('/api/v1/auth/oidc/start', { json: body })).body;
}

/** The provider's answer in an address. */
export function answerIn(url: URL): Record<string, string> {
  return Object.fromEntries(
    ['state', 'code', 'iss', 'error'].flatMap((name) => {
      const value = url.searchParams.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

export function finish(api: ApiClient, body: object): Promise<ApiAnswer<SignedIn>> {
  return api.post<SignedIn>('/api/v1/auth/oidc/finish', { json: body });
}

/** Signs a user of the provider in, as a browser does. */
export async function signInAs(
  { app, provider }: Pick<OidcScene, 'app' | 'provider'>,
  user: ProviderUser,
  api: ApiClient = app.api,
): Promise<ApiAnswer<SignedIn>> {
  const { authorization_url, login_token } = await start(api);
  const end = await provider.visit(authorization_url, user.sub);
  return finish(api, { login_token, ...answerIn(end) });
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as jose from 'jose';
import { type KoaContextWithOIDC, Provider } from 'oidc-provider';
import { CookieJar } from './cookie-jar.js';

/** How it responds: as it should, never, by hanging up, or with 500. */
type Mood = 'well' | 'silent' | 'away' | 'broken';

export interface ProviderUser {
  sub: string;
  email?: string;
  email_verified?: boolean;
  preferred_username?: string;
  given_name?: string;
  family_name?: string;
  groups?: string[];
}

type Claims = Record<string, unknown>;

const clientId = 'store';
const clientSecret = 'a-secret-of-the-store';
const callbackPath = '/api/v1/auth/oidc/callback';

/** The page where people sign in. */
const loginPage = (uid: string) => `<!doctype html><html lang="en"><head><title>Provider</title></head><body>
<form method="post" action="/interaction/${uid}/login">
<label>Who are you? <input name="login"></label><button>Continue</button></form></body></html>`;

/**
 * A provider of OpenID Connect, which is oidc-provider itself. People sign in as any user of `users`, on its page, or at once
 * as `visitor`. A test may also change the claims of the ID tokens on their way, and how they are signed.
 */
export class OidcServer {
  mood: Mood = 'well';
  readonly users = new Map<string, ProviderUser>();
  /** Who signs in without being asked. */
  visitor: string | null = null;
  /** Changes the claims of an ID token. */
  tamper: ((claims: Claims) => Claims) | null = null;
  /** Signs ID tokens with no algorithm. */
  unsigned = false;
  readonly requests: string[] = [];
  readonly env: Record<string, string>;
  readonly issuer: string;
  private provider: Provider | undefined;

  private constructor(
    private readonly server: Server,
    private readonly key: { private: jose.CryptoKey; jwk: jose.JWK },
  ) {
    this.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.env = {
      OIDC_ISSUER: this.issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_SCOPES: 'openid profile email groups',
      OIDC_LABEL: 'Example Login',
      OIDC_ADMIN_GROUPS: 'shop-admins',
      // Machines of tests are busy.
      OIDC_TIMEOUT_SECONDS: '20',
      EGRESS_ALLOW: '127.0.0.1',
    };
    server.on('request', (request, response) => this.answer(request, response));
  }

  static async start(): Promise<OidcServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { privateKey } = await jose.generateKeyPair('RS256', { extractable: true });
    const jwk = { ...(await jose.exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' };
    return new OidcServer(server, { private: privateKey, jwk });
  }

  /** Registers the services at these addresses. */
  register(...origins: string[]): void {
    this.provider = new Provider(this.issuer, {
      jwks: { keys: [this.key.jwk] },
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: origins.map((origin) => origin + callbackPath),
          grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
          response_types: ['code'],
          backchannel_logout_uri: `${origins[0] ?? ''}/api/v1/auth/oidc/backchannel-logout`,
          backchannel_logout_session_required: true,
        },
      ],
      cookies: { keys: ['a key of cookies'] },
      claims: {
        openid: ['sub', 'sid'],
        email: ['email', 'email_verified'],
        profile: ['preferred_username', 'given_name', 'family_name'],
        groups: ['groups'],
      },
      scopes: ['openid', 'profile', 'email', 'groups'],
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        deviceFlow: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, id) => {
        const user = this.users.get(id);
        return user && { accountId: id, claims: () => ({ ...user }) };
      },
      loadExistingGrant: (context) => this.grantOf(context),
      // Its own dispatcher refuses addresses of this machine.
      fetch: (url: URL | string | Request, { method, headers, body, signal }: RequestInit = {}) =>
        fetch(url, { method, headers, body, signal, redirect: 'manual' }),
      pkce: { required: () => true },
      ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, AccessToken: 600, AuthorizationCode: 60, IdToken: 600 },
      renderError: (context, out) => {
        context.type = 'text';
        context.body = JSON.stringify(out);
      },
    });
  }

  /** The provider's session of a browser ends, as at its own logout. */
  async signOut(jar: CookieJar): Promise<void> {
    const page = await jar.page(`${this.issuer}/session/end`);
    await jar.submit(page, { logout: 'yes' });
  }

  /** Adds a user, and returns the provider's id of them. */
  add(user: ProviderUser): string {
    this.users.set(user.sub, user);
    return user.sub;
  }

  /** The address that a browser of this user ends at, having gone to the provider: that of the service's callback. */
  async visit(authorizationUrl: string, user: string, jar = new CookieJar()): Promise<URL> {
    this.visitor = user;
    const end = await jar.follow(authorizationUrl, (url) => url.pathname === callbackPath);
    this.visitor = null;
    return end;
  }

  /** Confirms the code of a device as this user. */
  async confirmDevice(verificationUri: string, user: string, { isRefused = false } = {}): Promise<string> {
    const jar = new CookieJar();
    this.visitor = user;
    const page = await jar.page(verificationUri);
    const confirmed = await jar.submit(page, isRefused ? { abort: 'yes' } : { confirm: 'yes' });
    this.visitor = null;
    return confirmed.html;
  }

  /** A token signed as the provider signs. */
  async sign(claims: Claims, header: Partial<jose.JWTHeaderParameters> = {}): Promise<string> {
    return new jose.SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'first', ...header })
      .sign(this.key.private);
  }

  /** A logout token as the provider makes one; given claims take the place of its own. */
  logoutToken(claims: Claims): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const own = { iss: this.issuer, aud: clientId, iat: now, exp: now + 120, jti: crypto.randomUUID(), events };
    return this.sign({ ...own, ...claims }, { typ: 'logout+jwt' });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Everybody who signs in has consented. */
  private async grantOf(context: KoaContextWithOIDC) {
    const { client, session, provider } = context.oidc;
    if (!client || !session?.accountId) return undefined;
    const known = session.grantIdFor(client.clientId);
    if (known) return provider.Grant.find(known);
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope('openid profile email groups');
    await grant.save();
    return grant;
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    this.requests.push(`${method} ${url.split('?')[0] ?? ''}`);
    if (this.mood === 'silent') return;
    if (this.mood === 'away') return void request.socket.destroy();
    if (this.mood === 'broken') return void response.writeHead(500).end('broken');
    if (!this.provider) return void response.writeHead(404).end();
    const interaction = /^\/interaction\/([\w-]+)(\/login)?$/.exec(url);
    if (interaction) return void this.interact(interaction[1] ?? '', request, response);
    if (url === '/token' && (this.tamper || this.unsigned)) this.forge(response);
    void this.provider.callback()(request, response);
  }

  private async interact(uid: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.provider as Provider;
    let login = this.visitor;
    if (request.method === 'POST') {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      login = new URLSearchParams(Buffer.concat(chunks).toString()).get('login');
    }
    if (login === null) return void response.setHeader('content-type', 'text/html').end(loginPage(uid));
    const { prompt } = await provider.interactionDetails(request, response);
    const result =
      login === 'nobody'
        ? { error: 'access_denied', error_description: 'The user would not' }
        : prompt.name === 'login'
          ? { login: { accountId: login } }
          : { consent: {} };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  }

  /** Has the ID token in an answer changed before it is sent. */
  private forge(response: ServerResponse): void {
    const end = response.end.bind(response) as (text: string) => ServerResponse;
    response.end = ((body: unknown) => {
      void this.forged(String(body)).then((text) => {
        response.setHeader('content-length', Buffer.byteLength(text));
        end(text);
      });
      return response;
    }) as ServerResponse['end'];
  }

  private async forged(body: string): Promise<string> {
    const answer = JSON.parse(body) as { id_token?: string };
    if (answer.id_token === undefined) return body;
    const claims = this.tamper?.(jose.decodeJwt(answer.id_token)) ?? jose.decodeJwt(answer.id_token);
    const id_token = this.unsigned ? new jose.UnsecuredJWT(claims).encode() : await this.sign(claims);
    return JSON.stringify({ ...answer, id_token });
  }
}

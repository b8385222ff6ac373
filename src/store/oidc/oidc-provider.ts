import { Injectable } from '@nestjs/common';
import * as jose from 'jose';
import * as oidc from 'openid-client';
import { NotFound, Refusal, RuleBroken, Unauthenticated, Unavailable } from '../../platform/errors/errors.js';
import { OutboundHttp } from '../../platform/net/outbound-http.js';
import { TargetRefused, TargetUnreachable } from '../../platform/net/target-errors.js';
import type { OidcSettings } from '../../config/oidc-settings.js';
import { Settings } from '../../config/settings.js';
import { type ProvenUser, provenUser } from './proven-user.js';

/** How long what the provider publishes about itself is used. */
const discoveredForMs = 3_600_000;
const mostBytes = 1_000_000;
/** How far the provider's clock may be from ours. */
const toleranceSeconds = 30;
const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** The provider's answer to a browser, as its address holds it. */
export interface ProviderAnswer {
  state: string;
  code?: string;
  iss?: string;
  error?: string;
}

export interface AnswerChecks {
  redirectUri: string;
  state: string;
  nonce: string;
  verifier: string;
  /** Whether the user had to prove anew who they are. */
  isFresh: boolean;
}

/** What a device shows, and the code that is asked with. */
export interface DeviceAuthorization {
  deviceCode: string;
  userCode: string;
  verificationUri: string;
  verificationUriComplete: string | undefined;
  expiresInSeconds: number;
  pollSeconds: number;
}

/** The state of a device at the provider. */
export type DeviceOutcome = ProvenUser | 'authorization_pending' | 'slow_down';

interface Discovered {
  configuration: oidc.Configuration;
  keys: jose.JWTVerifyGetKey;
}

/**
 * The provider of OpenID Connect, by openid-client: discovered with the first use, and again after an hour. Every token is
 * checked by its signature, issuer, audience and times. `NotFound` where the service has none, `Unavailable` while it
 * cannot be reached.
 */
@Injectable()
export class OidcProvider {
  private known: { discovered: Promise<Discovered>; untilMs: number } | undefined;

  constructor(
    private readonly settings: Settings,
    private readonly http: OutboundHttp,
  ) {}

  /** The settings of the provider. */
  get own(): OidcSettings {
    const { oidc: own } = this.settings;
    if (!own) throw new NotFound('This service has no provider to sign in with: use a password', 'sign_in_off');
    return own;
  }

  /** The address at the provider where a user signs in. */
  async signInUrl({ redirectUri, state, nonce, verifier, isFresh }: AnswerChecks): Promise<string> {
    const { configuration } = await this.discovered();
    const url = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: this.own.scopes,
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isFresh && { prompt: 'login', max_age: '0' }),
    });
    return url.href;
  }

  /** Exchanges the code of an answer, and returns who signed in. `Unauthenticated` for an answer that fails a check. */
  async prove(answer: ProviderAnswer, checks: AnswerChecks): Promise<ProvenUser> {
    const { configuration } = await this.discovered();
    const url = new URL(checks.redirectUri);
    url.search = new URLSearchParams({ ...answer }).toString();
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, url, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
        // The time at which the user signed in must be told, and be of this sign-in.
        ...(checks.isFresh && { maxAge: freshSeconds }),
      });
      return await this.userOf(configuration, tokens);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Begins the sign-in of a device without a browser (RFC 8628). */
  async beginDevice(): Promise<DeviceAuthorization> {
    const { configuration } = await this.discovered();
    if (configuration.serverMetadata().device_authorization_endpoint === undefined) {
      throw new NotFound(`${this.own.label} does not sign in devices: use a password`, 'sign_in_off');
    }
    try {
      const begun = await oidc.initiateDeviceAuthorization(configuration, { scope: this.own.scopes });
      return {
        deviceCode: begun.device_code,
        userCode: begun.user_code,
        verificationUri: begun.verification_uri,
        verificationUriComplete: begun.verification_uri_complete,
        expiresInSeconds: begun.expires_in,
        pollSeconds: begun.interval ?? 5,
      };
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /** Asks once whether the user of a device has signed in. `RuleBroken` where they would not, or the code expired. */
  async askDevice(deviceCode: string): Promise<DeviceOutcome> {
    const { configuration } = await this.discovered();
    try {
      const tokens = await oidc.genericGrantRequest(configuration, deviceGrant, { device_code: deviceCode });
      return await this.userOf(configuration, tokens);
    } catch (error) {
      const code = error instanceof oidc.ResponseBodyError ? error.error : undefined;
      if (code === 'authorization_pending' || code === 'slow_down') return code;
      if (code === 'expired_token') throw deviceExpired();
      throw refusalOf(error);
    }
  }

  /**
   * The claims of a logout token whose signature, issuer, audience and times are right (Back-Channel Logout 1.0,
   * section 2.6). `RuleBroken` for any other.
   */
  async logoutClaims(token: string): Promise<jose.JWTPayload> {
    const { configuration, keys } = await this.discovered();
    const { issuer, id_token_signing_alg_values_supported: algorithms = ['RS256'] } = configuration.serverMetadata();
    try {
      const { payload } = await jose.jwtVerify(token, keys, {
        issuer,
        audience: this.own.clientId,
        clockTolerance: toleranceSeconds,
        requiredClaims: ['iat', 'jti'],
        // Section 2.4: at most two minutes are recommended; more helps no honest provider.
        maxTokenAge: logoutSeconds,
        // An algorithm of a shared secret would take the published keys for secrets.
        algorithms: algorithms.filter((name) => /^(RS|PS|ES)\d{3}$|^Ed/.test(name)),
      });
      return payload;
    } catch (error) {
      if (error instanceof jose.errors.JOSEError && !isUnreachable(error)) {
        throw new RuleBroken(`The logout token cannot be used: ${error.message}`, 'logout_token_invalid');
      }
      throw refusalOf(error);
    }
  }

  private async userOf(configuration: oidc.Configuration, tokens: Tokens): Promise<ProvenUser> {
    const claims = tokens.claims();
    if (!claims) throw signInFailed('it holds no ID token');
    // OpenID Connect Core 1.0, section 2: at most 255 characters of ASCII.
    if (!/^[\x20-\x7e]{1,255}$/.test(claims.sub)) throw signInFailed('its sub is too long, or not of ASCII');
    const told = this.needsUserInfo(configuration, claims)
      ? await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : {};
    return provenUser(claims, this.own, told);
  }

  /** Many providers tell the rest of the claims at their userinfo endpoint alone. */
  private needsUserInfo(configuration: oidc.Configuration, claims: oidc.IDToken): boolean {
    if (configuration.serverMetadata().userinfo_endpoint === undefined) return false;
    const wanted = ['email', ...(this.own.adminGroups.length > 0 ? [this.own.groupsClaim] : [])];
    return wanted.some((name) => claims[name] === undefined);
  }

  private discovered(): Promise<Discovered> {
    const { own } = this;
    if (this.known && this.known.untilMs > Date.now()) return this.known.discovered;
    const known = { discovered: this.discover(own), untilMs: Date.now() + discoveredForMs };
    this.known = known;
    known.discovered.catch(() => {
      // The next sign-in asks again.
      if (this.known === known) this.known = undefined;
    });
    return known.discovered;
  }

  private async discover({ issuer, clientId, clientSecret, timeoutSeconds }: OidcSettings): Promise<Discovered> {
    const plain = issuer.startsWith('http:');
    const fetch = (url: string, options: oidc.CustomFetchOptions) => this.fetch(url, options);
    try {
      const configuration = await oidc.discovery(
        new URL(issuer),
        clientId,
        { [oidc.clockTolerance]: toleranceSeconds },
        authenticationBy(clientSecret),
        {
          timeout: timeoutSeconds,
          [oidc.customFetch]: fetch,
          execute: [oidc.enableNonRepudiationChecks, ...(plain ? [oidc.allowInsecureRequests] : [])],
        },
      );
      const { jwks_uri } = configuration.serverMetadata();
      if (jwks_uri === undefined) throw new Error('The provider publishes no keys');
      const keys = jose.createRemoteJWKSet(new URL(jwks_uri), {
        timeoutDuration: timeoutSeconds * 1_000,
        [jose.customFetch]: (url, { method, headers }) =>
          fetch(url, { method, headers: Object.fromEntries(headers), redirect: 'manual', body: undefined }),
      });
      return { configuration, keys };
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** By the one door for requests, which bounds their time and size. */
  private async fetch(url: string, { method, headers, body }: oidc.CustomFetchOptions): Promise<Response> {
    const answer = await this.http.send({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.entries(headers),
      ...(body === undefined || body === null ? {} : { body: Buffer.from(bodyText(body)) }),
      maxRedirects: 0,
      maxBytes: mostBytes,
      onTooLarge: 'refuse',
      timeoutMs: this.own.timeoutSeconds * 1_000,
    });
    const isBodiless = answer.status === 204 || answer.status === 304;
    return new Response(isBodiless ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    });
  }
}

/** A proof of identity counts as fresh for so long. */
const freshSeconds = 300;
/** The greatest age of a logout token. */
const logoutSeconds = 600;

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

function bodyText(body: oidc.FetchBody): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new Error('A request to the provider has a body of an unexpected type');
}

/** By `client_secret_basic`, the default of OpenID Connect, unless the provider takes only the other form. */
function authenticationBy(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server;
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let one = error; one instanceof Error && causes.length < 10; one = one.cause) causes.push(one);
  return causes;
}

/** Whether no usable answer came: the network's fault or the provider's, not that of who signs in. */
function isUnreachable(error: unknown): boolean {
  return causesOf(error).some(
    (cause) =>
      cause instanceof TargetUnreachable ||
      cause instanceof TargetRefused ||
      cause instanceof jose.errors.JWKSTimeout ||
      (cause instanceof oidc.ClientError && cause.code === 'OAUTH_TIMEOUT') ||
      (cause instanceof oidc.ResponseBodyError && cause.status >= 500) ||
      (cause instanceof oidc.ClientError && cause.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'),
  );
}

function unavailable(cause: unknown): Unavailable {
  if (cause instanceof Unavailable) return cause;
  const refusal = new Unavailable(
    'The sign-in provider cannot be reached at the moment: try again later, or sign in with a password',
    'provider_unavailable',
    30,
  );
  refusal.cause = cause;
  return refusal;
}

function signInFailed(why: string): Unauthenticated {
  return new Unauthenticated(
    `The answer of the sign-in provider cannot be used: ${why}. Sign in again`,
    'sign_in_failed',
  );
}

/** The refusal of a device whose user did not sign in in time. */
export function deviceExpired(): RuleBroken {
  return new RuleBroken('Nobody confirmed the sign-in in time: begin another one', 'device_code_expired');
}

function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal) return error;
  if (isUnreachable(error)) return unavailable(error);
  if (error instanceof oidc.AuthorizationResponseError || isDenied(error)) {
    return new RuleBroken(
      'The sign-in was refused at the provider: begin another one if it was meant',
      'sign_in_denied',
    );
  }
  if (error instanceof oidc.ResponseBodyError) return signInFailed(`it says ${error.error.slice(0, 60)}`);
  if (error instanceof oidc.ClientError) return signInFailed(error.message);
  return error;
}

function isDenied(error: unknown): boolean {
  return error instanceof oidc.ResponseBodyError && error.error === 'access_denied';
}

import type { EnvironmentReader } from './environment-reader.js';
import { parseUrl } from './parse-url.js';

/** The provider of OpenID Connect that users sign in with. */
export interface OidcSettings {
  /** As the provider writes it: a slash at its end counts. */
  issuer: string;
  clientId: string;
  /** Unset: a public client, which proves itself by PKCE alone. */
  clientSecret: string | undefined;
  scopes: string;
  /** The name of the provider, for people. */
  label: string;
  /** The claim that lists the groups of a user. */
  groupsClaim: string;
  /** The groups whose members are admins of the shop. */
  adminGroups: string[];
  /** The values of `acr` that stand for two factors. */
  multiFactorAcrs: string[];
  /** Whether admins sign in by the provider alone. */
  only: boolean;
  /** How long a request waits for the provider. */
  timeoutSeconds: number;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function parseIssuer(value: string): string | undefined {
  const url = parseUrl(value);
  if (!url || value.length > 500 || url.search !== '' || url.hash !== '' || url.username !== '') return undefined;
  const isPlainHere = url.protocol === 'http:' && loopback.has(url.hostname);
  return url.protocol === 'https:' || isPlainHere ? value : undefined;
}

const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '');

/** Reads the settings of sign-in by OpenID Connect; undefined without an issuer. */
export function readOidcSettings(read: EnvironmentReader, production: boolean): OidcSettings | undefined {
  const issuer = read.parsed<string | undefined>(
    'OIDC_ISSUER',
    'the https URL of the provider, as its discovery document writes it; http only for this machine',
    undefined,
    parseIssuer,
  );
  const clientId = read.text('OIDC_CLIENT_ID');
  const clientSecret = read.secret('OIDC_CLIENT_SECRET', 'at most 1,000 characters', (value) => value.length <= 1_000);
  const only = read.flag('OIDC_ONLY', false);
  const settings = {
    clientSecret,
    scopes: read.parsed(
      'OIDC_SCOPES',
      'scopes with blanks between them, openid among them',
      'openid profile email',
      (value) => (value.split(/\s+/).includes('openid') ? value : undefined),
    ),
    label: read.parsed(
      'OIDC_LABEL',
      'a name of at most 60 characters',
      parseUrl(issuer ?? '')?.hostname ?? '',
      (value) => (value.length <= 60 ? value : undefined),
    ),
    groupsClaim: read.text('OIDC_GROUPS_CLAIM') ?? 'groups',
    adminGroups: listOf(read.text('OIDC_ADMIN_GROUPS') ?? ''),
    multiFactorAcrs: listOf(read.text('OIDC_MFA_ACR') ?? ''),
    timeoutSeconds: read.integer('OIDC_TIMEOUT_SECONDS', 5, 1, 30),
  };
  if (issuer === undefined) {
    if (clientId !== undefined || clientSecret !== undefined || only) {
      read.problems.push(
        'OIDC_ISSUER must be set with the other settings of sign-in by OpenID Connect, or none of them',
      );
    }
    return undefined;
  }
  if (clientId === undefined) {
    read.problems.push(
      'OIDC_CLIENT_ID must be set with OIDC_ISSUER: the provider shows it where you register this service',
    );
  }
  if (production && read.text('PUBLIC_URL') === undefined) {
    read.problems.push('PUBLIC_URL must be set with OIDC_ISSUER in production: the provider sends users back there');
  }
  return { issuer, clientId: clientId ?? '', only, ...settings };
}

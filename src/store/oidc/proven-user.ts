import { isEmailAddress } from '../../config/email-format.js';
import type { OidcSettings } from '../../config/oidc-settings.js';

/** A user as the provider vouches for them. */
export interface ProvenUser {
  issuer: string;
  subject: string;
  /** The provider's session. */
  sid: string | null;
  /** When they proved who they are, in seconds since 1970; null if the provider does not say. */
  authenticatedAt: number | null;
  email: string | null;
  emailVerified: boolean;
  /** The name to sign in with at the provider. */
  username: string | null;
  firstName: string | null;
  lastName: string | null;
  groups: string[];
  /** Whether the provider says that they proved it by two factors. */
  isMultiFactor: boolean;
}

type Claims = Record<string, unknown> & { iss: string; sub: string };

const maxName = 100;
const mostGroups = 10_000;

function textOf(value: unknown, longest: number): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replaceAll('\0', '').trim();
  return text === '' || text.length > longest ? null : text;
}

/** A claim by its name, or by its path with points, as in Keycloak's `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let value: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function groupsIn(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.slice(0, mostGroups).filter((group): group is string => typeof group === 'string');
}

/** RFC 8176, section 2: `mfa` stands for several factors. `acr` has the provider's own values. */
function isMultiFactor({ amr, acr }: Record<string, unknown>, multiFactorAcrs: readonly string[]): boolean {
  if (Array.isArray(amr) && amr.includes('mfa')) return true;
  return typeof acr === 'string' && multiFactorAcrs.includes(acr);
}

/** How the claims are to be read. */
type ClaimSettings = Pick<OidcSettings, 'groupsClaim' | 'multiFactorAcrs'>;

/** Reads the claims of an ID token, and what else is told of its user; a text that does not fit counts as not told. */
export function provenUser(
  token: Claims,
  { groupsClaim, multiFactorAcrs }: ClaimSettings,
  told: Record<string, unknown> = {},
): ProvenUser {
  const claims: Claims = { ...told, ...token };
  const { auth_time: at } = claims;
  const email = textOf(claims['email'], 254);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    sid: textOf(claims['sid'], 255),
    authenticatedAt: typeof at === 'number' && Number.isFinite(at) && at >= 0 && at < 1e11 ? at : null,
    email: email !== null && isEmailAddress(email) ? email : null,
    emailVerified: claims['email_verified'] === true,
    username: textOf(claims['preferred_username'], 255),
    firstName: textOf(claims['given_name'], maxName),
    lastName: textOf(claims['family_name'], maxName),
    groups: groupsIn(claimAt(claims, groupsClaim)),
    // Of this sign-in only the ID token tells.
    isMultiFactor: isMultiFactor(token, multiFactorAcrs),
  };
}

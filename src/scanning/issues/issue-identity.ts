import { sha256 } from '../../platform/crypto/digests.js';
import type { IssueSeverity } from '../vocabulary.js';

export interface IdentityParts {
  assetId: string;
  name: string;
  securityTestUid?: string;
  fingerprint: string;
}

/** How earlier reports may have told a finding apart: by another rule, or in another way. */
export interface FormerParts {
  securityTestUid: string;
  fingerprint: string;
}

/** Distinguishes an appended issue from others of its test on its asset: its name and its place. */
export function fingerprintOf(name: string, targetUids: string[]): string {
  return JSON.stringify([name, [...new Set(targetUids)].sort()]);
}

/** The identity of an issue in its organization, by which the same finding in a later scan is the same issue. */
export function identityOf({ assetId, name, securityTestUid, fingerprint }: IdentityParts): string {
  return sha256(JSON.stringify([assetId.toLowerCase(), securityTestUid ?? name, fingerprint]));
}

/** The default full name of an issue. */
export function defaultFullName(name: string, severity: IssueSeverity): string {
  return `${name} (${severity.toLowerCase()} risk)`;
}

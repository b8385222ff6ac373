import { randomBytes } from 'node:crypto';
import { Conflict } from '../errors/errors.js';

/** A header that a receiver asks for. */
export interface ReceiverHeader {
  name: string;
  value: string;
}

/** The sealed parameters of a receiver; addresses carry credentials too. */
export interface SealedParameters {
  url: string;
  headers: ReceiverHeader[];
  secret: string | null;
  /** The secrets before it, the newest first, each of which signs beside it until it expires. */
  previous?: PreviousSecret[];
}

export interface PreviousSecret {
  secret: string;
  expiresAt: string;
}

const madeBytes = 32;
// Unspecified: how many secrets sign at once; each makes the header of a delivery longer by 47 bytes.
const mostPrevious = 9;
const secretPattern = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** A new secret. */
export function newSecret(): string {
  return `whsec_${randomBytes(madeBytes).toString('base64')}`;
}

/** The bytes of a signing secret (Standard Webhooks: whsec_ and the base64 of 24 to 64 bytes); null where malformed. */
export function secretBytes(secret: string): Buffer | null {
  const encoded = secretPattern.exec(secret)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  const exact = bytes.toString('base64').replace(/={1,2}$/, '') === encoded.replace(/={1,2}$/, '');
  return exact && bytes.length >= 24 && bytes.length <= 64 ? bytes : null;
}

/** The earlier secrets that still sign at a time, the newest first. */
export function previousAt({ previous = [] }: SealedParameters, time: Date): PreviousSecret[] {
  return previous.filter(({ expiresAt }) => time < new Date(expiresAt));
}

/** The secrets that sign at a time, the newest first. */
export function secretsAt(parameters: SealedParameters, time: Date): string[] {
  const { secret } = parameters;
  return secret === null ? [] : [secret, ...previousAt(parameters, time).map((earlier) => earlier.secret)];
}

/** When the last of the earlier secrets stops signing; null if none signs now. */
export function previousExpiresAt(parameters: SealedParameters): Date | null {
  const ends = previousAt(parameters, new Date()).map(({ expiresAt }) => Date.parse(expiresAt));
  return ends.length > 0 ? new Date(Math.max(...ends)) : null;
}

/**
 * The parameters with a new secret, beside which the one before signs until the overlap ends, and older ones until theirs does;
 * `field` is what callers call the overlap. `Conflict` where too many sign already.
 */
export function withNewSecret(
  stored: SealedParameters,
  secret: string,
  overlapSeconds: number,
  field: string,
): SealedParameters {
  return { ...stored, secret, previous: previousOf(stored, secret, overlapSeconds, field) };
}

function previousOf(stored: SealedParameters, secret: string, overlapSeconds: number, field: string): PreviousSecret[] {
  if (stored.secret === null || overlapSeconds === 0) return [];
  const now = new Date();
  const expiresAt = new Date(now.getTime() + overlapSeconds * 1_000).toISOString();
  const older = previousAt(stored, now).filter((earlier) => earlier.secret !== secret);
  if (older.length >= mostPrevious) {
    const sentence =
      `${mostPrevious} earlier secrets are still valid: wait until they expire, or send ` +
      `${field} 0, which ends all of them`;
    throw new Conflict(sentence);
  }
  return [{ secret: stored.secret, expiresAt }, ...older];
}

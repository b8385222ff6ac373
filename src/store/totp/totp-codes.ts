import { randomBytes } from 'node:crypto';
import { hotp } from 'speakeasy';
import { sameText } from '../../platform/crypto/digests.js';
import { toBase32 } from './base32.js';

const issuer = 'Store Service';
const digits = 6;
const stepSeconds = 30;
const stepsAround = [-1, 0, 1];
const secretBytes = 20;

/** A new secret in base32: 160 random bits, as RFC 4226 recommends. */
export function newSecret(): string {
  return toBase32(randomBytes(secretBytes));
}

/** The code of a secret at a time step (RFC 6238 with SHA-1). */
export function codeAt(secret: string, step: number): string {
  return hotp({ secret, encoding: 'base32', counter: step, digits });
}

/**
 * The latest time step of the code, among the current one and its neighbors (RFC 6238, section 5.2), or null if the
 * code is wrong. Blanks in the code, as apps show them, do not matter.
 */
export function stepOf(secret: string, code: string, timeMs: number): number | null {
  const plain = code.replaceAll(/\s/g, '');
  const current = Math.floor(timeMs / 1000 / stepSeconds);
  const matching = stepsAround
    .map((offset) => current + offset)
    .filter((step) => sameText(codeAt(secret, step), plain));
  return matching.at(-1) ?? null;
}

/** The address that authenticator apps read from a QR code. */
export function otpauthUri(secret: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  const parameters = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepSeconds}`;
  return `otpauth://totp/${label}?${parameters}`;
}

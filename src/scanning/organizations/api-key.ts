import { randomToken, sha256 } from '../../platform/crypto/digests.js';

/** The beginning of every API key, by which scanners for leaked secrets recognize one. */
const keyPrefix = 'ssk_';
const shownLength = keyPrefix.length + 8;

/** A new API key: the prefix and 256 random bits. */
export function newApiKey(): string {
  return keyPrefix + randomToken();
}

/** The beginning of a key, by which users tell keys apart. */
export function prefixOfApiKey(key: string): string {
  return key.slice(0, shownLength);
}

/** The stored form of an API key: SHA-256, enough for a key of 256 random bits. */
export function hashApiKey(key: string): string {
  return sha256(key);
}

import { randomToken, sha256 } from './digests.js';

/** How keys begin, by whose they are: scanners for leaked secrets recognize them by it. */
export const keyPrefixes = { organization: 'ssk_', shop: 'sk_' } as const;

const shownDigits = 8;
const checksumLength = 6;

/** A new key for programs: the prefix, 256 random bits, and for the shop's own a checksum. */
export function newApiKey(owner: keyof typeof keyPrefixes): string {
  const key = keyPrefixes[owner] + randomToken();
  return owner === 'shop' ? key + checksumOf(key) : key;
}

/** Whether the checksum of a shop's key is right: a mistyped one is told without the database. */
export function hasRightChecksum(key: string): boolean {
  return key.slice(-checksumLength) === checksumOf(key.slice(0, -checksumLength));
}

/** The beginning of a key, by which users tell keys apart. */
export function beginningOfApiKey(key: string): string {
  return key.slice(0, key.indexOf('_') + 1 + shownDigits);
}

/** The stored form of a key: SHA-256, enough for 256 random bits. */
export function hashApiKey(key: string): string {
  return sha256(key);
}

function checksumOf(key: string): string {
  return sha256(key).slice(0, checksumLength);
}

import { randomBytes } from 'node:crypto';
import { sha256 } from '../../common/crypto/digests.js';
import { toBase32 } from './base32.js';

const count = 10;
// Unspecified: the form of a recovery code. 80 random bits need no slow hash; groups of four are easy to copy.
const bytes = 10;

/** Ten new recovery codes, such as `k3vq-2xwm-7hta-ce5n`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () =>
    toBase32(randomBytes(bytes))
      .toLowerCase()
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
}

/** The stored digest of a recovery code; case, blanks and dashes do not matter. */
export function recoveryCodeHash(code: string): string {
  return sha256(code.toLowerCase().replaceAll(/[\s-]/g, ''));
}

import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type HashingPlace, Passwords } from '../../platform/crypto/passwords.js';
import { limitedAddressOf } from '../../platform/net/caller-address.js';
import { toBase32 } from './base32.js';
import { TotpRepository } from './totp.repository.js';

const count = 10;
// Unspecified: the form of a recovery code: 80 random bits, in groups of four that are easy to copy.
const bytes = 10;
const form = /^[a-z2-7]{16}$/;
const saltBytes = 16;

/** Ten new recovery codes, such as `k3vq-2xwm-7hta-ce5n`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () =>
    toBase32(randomBytes(bytes))
      .toLowerCase()
      .replaceAll(/(.{4})(?=.)/g, '$1-'),
  );
}

/** A recovery code without what does not matter, case, blanks and dashes; null for a text that cannot be one. */
export function plainRecoveryCode(text: string): string | null {
  const plain = text.toLowerCase().replaceAll(/[\s-]/g, '');
  return form.test(plain) ? plain : null;
}

/** The salt of a hash in the PHC string format. */
function saltOf(hash: string): Buffer {
  return Buffer.from(hash.split('$')[4] ?? '', 'base64');
}

/**
 * Recovery codes, stored as hashes by Argon2id. The codes of one account share a salt, so that one hash is enough to find a
 * code among them.
 */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly passwords: Passwords,
    private readonly repository: TotpRepository,
  ) {}

  /** New codes and their hashes, in the same order. */
  async make(ip: string | undefined): Promise<{ codes: string[]; hashes: string[] }> {
    const codes = newRecoveryCodes();
    const salt = randomBytes(saltBytes);
    const hashes = await this.passwords.enqueue(placeOf(ip), async ({ hash }) => {
      const made: string[] = [];
      for (const code of codes) made.push(await hash(plainRecoveryCode(code) ?? '', salt));
      return made;
    });
    return { codes, hashes };
  }

  /** The hash under which the account's code may be stored; null for a text that cannot be one, and where none is left. */
  async hashOf(userId: string, text: string, ip: string | undefined): Promise<string | null> {
    const plain = plainRecoveryCode(text);
    if (plain === null) return null;
    const [stored] = await this.repository.recoveryCodeHashes(userId);
    return stored === undefined ? null : this.passwords.hash(plain, placeOf(ip), saltOf(stored));
  }
}

function placeOf(ip: string | undefined): HashingPlace {
  return { queue: 'change', address: limitedAddressOf(ip) };
}

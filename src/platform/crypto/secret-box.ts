import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets.js';
import type { SealedPlace } from './sealed-places.js';

const cipher = 'aes-256-gcm';
const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/** A sealed value that no key of the list opens. */
export class UnopenableSecret extends Error {
  override name = 'UnopenableSecret';
}

/**
 * Encrypts secrets at rest by AES-256-GCM (NIST SP 800-38D) under the service's encryption key, with a fresh nonce each
 * time. A sealed secret is text, `v1.<nonce>.<tag>.<ciphertext>` in base64url. It opens only in the place that it was
 * sealed for, so that a copy in another row is useless; by the present key, or an older one of ENCRYPTION_KEY.
 */
@Injectable()
export class SecretBox {
  constructor(private readonly secrets: Secrets) {}

  /** Seals a secret for a place, such as `totp:<user id>`. */
  seal(secret: string, place: SealedPlace): string {
    return textOf(this.encrypt(Buffer.from(secret, 'utf8'), place));
  }

  /** Seals bytes for a place, as nonce, tag and ciphertext. */
  sealBytes(bytes: Uint8Array, place: SealedPlace): Buffer {
    return Buffer.concat(this.encrypt(bytes, place));
  }

  /** Opens a sealed secret; throws if the text, the place or the key differs. */
  open(sealed: string, place: SealedPlace): string {
    return this.decrypt(partsOf(sealed), place).bytes.toString('utf8');
  }

  /** Opens sealed bytes; throws if they, the place or the key differ. */
  openBytes(sealed: Buffer, place: SealedPlace): Buffer {
    return this.decrypt(partsOf(sealed), place).bytes;
  }

  /** Seals a secret with the present key that an older one sealed; null if it was the present one. */
  reseal<Sealed extends string | Buffer>(sealed: Sealed, place: SealedPlace): Sealed | null {
    const { bytes, age } = this.decrypt(partsOf(sealed), place);
    if (age === 0) return null;
    const parts = this.encrypt(bytes, place);
    return (typeof sealed === 'string' ? textOf(parts) : Buffer.concat(parts)) as Sealed;
  }

  private encrypt(bytes: Uint8Array, place: SealedPlace): Parts {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.secrets.encryptionKey, nonce).setAAD(Buffer.from(place, 'utf8'));
    const ciphertext = Buffer.concat([sealing.update(bytes), sealing.final()]);
    return [nonce, sealing.getAuthTag(), ciphertext];
  }

  /** The bytes, and the number of keys that are newer than the one that opened them. */
  private decrypt([nonce, tag, ciphertext]: Parts, place: SealedPlace): { bytes: Buffer; age: number } {
    let cause: unknown;
    for (const [age, key] of this.secrets.encryptionKeys.entries()) {
      try {
        const opening = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
        opening.setAAD(Buffer.from(place, 'utf8')).setAuthTag(tag);
        return { bytes: Buffer.concat([opening.update(ciphertext), opening.final()]), age };
      } catch (error) {
        cause = error;
      }
    }
    throw new UnopenableSecret(
      'A stored secret cannot be opened: it is damaged, or sealed with another ENCRYPTION_KEY',
      { cause },
    );
  }
}

type Parts = [nonce: Buffer, tag: Buffer, ciphertext: Buffer];

function textOf(parts: Parts): string {
  return [version, ...parts.map((part) => part.toString('base64url'))].join('.');
}

function partsOf(sealed: string | Buffer): Parts {
  if (typeof sealed !== 'string') {
    const end = nonceBytes + tagBytes;
    return [sealed.subarray(0, nonceBytes), sealed.subarray(nonceBytes, end), sealed.subarray(end)];
  }
  const [format, ...parts] = sealed.split('.');
  const [nonce, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (format !== version || !nonce || !tag || !ciphertext) {
    throw new UnopenableSecret('A stored secret has an unknown format');
  }
  return [nonce, tag, ciphertext];
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets.js';

const cipher = 'aes-256-gcm';
const version = 'v1';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Encrypts secrets at rest by AES-256-GCM (NIST SP 800-38D) under the service's encryption key, with a fresh nonce each
 * time. A sealed secret is text, `v1.<nonce>.<tag>.<ciphertext>` in base64url. It opens only in the place that it was
 * sealed for, so that a copy in another row is useless.
 */
@Injectable()
export class SecretBox {
  constructor(private readonly secrets: Secrets) {}

  /** Seals a secret for a place, such as `totp:<user id>`. */
  seal(secret: string, place: string): string {
    const parts = this.encrypt(Buffer.from(secret, 'utf8'), place).map((part) => part.toString('base64url'));
    return [version, ...parts].join('.');
  }

  /** Seals bytes for a place, as nonce, tag and ciphertext. */
  sealBytes(bytes: Uint8Array, place: string): Buffer {
    return Buffer.concat(this.encrypt(bytes, place));
  }

  /** Opens a sealed secret; throws if the text, the place or the key differs. */
  open(sealed: string, place: string): string {
    const [format, ...parts] = sealed.split('.');
    const [nonce, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (format !== version || !nonce || !tag || !ciphertext) throw new Error('A stored secret has an unknown format');
    return this.decrypt([nonce, tag, ciphertext], place).toString('utf8');
  }

  /** Opens sealed bytes; throws if they, the place or the key differ. */
  openBytes(sealed: Buffer, place: string): Buffer {
    const nonce = sealed.subarray(0, nonceBytes);
    const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
    return this.decrypt([nonce, tag, sealed.subarray(nonceBytes + tagBytes)], place);
  }

  private encrypt(bytes: Uint8Array, place: string): [nonce: Buffer, tag: Buffer, ciphertext: Buffer] {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.secrets.encryptionKey, nonce).setAAD(Buffer.from(place, 'utf8'));
    const ciphertext = Buffer.concat([sealing.update(bytes), sealing.final()]);
    return [nonce, sealing.getAuthTag(), ciphertext];
  }

  private decrypt([nonce, tag, ciphertext]: [Buffer, Buffer, Buffer], place: string): Buffer {
    try {
      const opening = createDecipheriv(cipher, this.secrets.encryptionKey, nonce, { authTagLength: tagBytes });
      opening.setAAD(Buffer.from(place, 'utf8')).setAuthTag(tag);
      return Buffer.concat([opening.update(ciphertext), opening.final()]);
    } catch (error) {
      throw new Error('A stored secret cannot be opened: it is damaged, or sealed with another ENCRYPTION_KEY', {
        cause: error,
      });
    }
  }
}

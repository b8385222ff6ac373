import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../../config/secrets.js';

const cipher = 'aes-256-gcm';
const version = 'v1';
const nonceBytes = 12;

/**
 * Keeps secrets at rest: AES-256-GCM (NIST SP 800-38D) under the service's encryption key, a fresh nonce each time.
 * A sealed secret is text, `v1.<nonce>.<tag>.<ciphertext>` in base64url. It opens only in the place that it was sealed
 * for, so that one copied into another row is of no use.
 */
@Injectable()
export class SecretBox {
  constructor(private readonly secrets: Secrets) {}

  /** Seals a secret for a place, such as `totp:<user id>`. */
  seal(secret: string, place: string): string {
    const nonce = randomBytes(nonceBytes);
    const sealing = createCipheriv(cipher, this.secrets.encryptionKey, nonce).setAAD(Buffer.from(place, 'utf8'));
    const ciphertext = Buffer.concat([sealing.update(secret, 'utf8'), sealing.final()]);
    const parts = [nonce, sealing.getAuthTag(), ciphertext].map((part) => part.toString('base64url'));
    return [version, ...parts].join('.');
  }

  /** Opens a sealed secret; throws where the text, the place or the key is another. */
  open(sealed: string, place: string): string {
    const [format, ...parts] = sealed.split('.');
    const [nonce, tag, ciphertext] = parts.map((part) => Buffer.from(part, 'base64url'));
    if (format !== version || !nonce || !tag || !ciphertext) throw new Error('A stored secret has no known format');
    try {
      const opening = createDecipheriv(cipher, this.secrets.encryptionKey, nonce, { authTagLength: 16 });
      opening.setAAD(Buffer.from(place, 'utf8')).setAuthTag(tag);
      return Buffer.concat([opening.update(ciphertext), opening.final()]).toString('utf8');
    } catch (error) {
      throw new Error('A stored secret cannot be opened: it is damaged, or sealed with another ENCRYPTION_KEY', {
        cause: error,
      });
    }
  }
}

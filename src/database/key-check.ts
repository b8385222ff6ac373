import { hkdfSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Secrets } from '../config/secrets.js';
import { keyCheckPlace } from '../platform/crypto/sealed-places.js';
import { SecretBox } from '../platform/crypto/secret-box.js';
import { StartError } from '../config/start-error.js';
import { KeyCheckRepository } from './key-check.repository.js';

/** Under this name the database keeps a text that was sealed with the key of its secrets. */
const name = 'encryption_check';
const text = 'the key of these data';

/** A mark by which a key is recognized, and which does not give it away. */
function markOf(key: string | Buffer, purpose: string): string {
  return Buffer.from(hkdfSync('sha256', key, '', purpose, 8)).toString('hex');
}

/**
 * Checks at the start that the keys fit the data; otherwise each secret would fail later, one by one. While keys turn,
 * the database keeps a text of each key that seals, so that no node starts that could open only a part of the data.
 */
@Injectable()
export class KeyCheck {
  constructor(
    private readonly repository: KeyCheckRepository,
    private readonly box: SecretBox,
    private readonly secrets: Secrets,
  ) {}

  /** Throws `StartError` if secrets in the database were sealed with a key that is not among those of the settings. */
  async run(): Promise<void> {
    // If two nodes start at once, the text of the faster one is stored.
    await this.repository.keep(name, this.sealedText());
    const kept = await this.repository.all(name);
    if (![...kept.values()].every((sealed) => this.opens(sealed))) throw wrongKey(this.secrets.encryptionKeys.length);
    const isOld = this.box.reseal(kept.get(name) ?? '', keyCheckPlace) !== null;
    if (isOld) {
      const mark = markOf(this.secrets.encryptionKey, 'mark of an encryption key');
      await this.repository.keep(`${name}:${mark}`, this.sealedText());
    }
    await this.signsSince();
  }

  /** Since when the present JWT_SECRET signs. */
  signsSince(): Promise<Date> {
    return this.repository.signsSince(markOf(this.secrets.jwtSecret, 'mark of a signing key'));
  }

  /** Notes that everything is sealed with the present key. */
  async settle(): Promise<void> {
    await this.repository.settle(name, this.sealedText());
  }

  private sealedText(): string {
    return this.box.seal(text, keyCheckPlace);
  }

  private opens(sealed: string): boolean {
    try {
      this.box.open(sealed, keyCheckPlace);
      return true;
    } catch {
      return false;
    }
  }
}

function wrongKey(keys: number): StartError {
  const given = keys === 1 ? '' : ` than the ${keys} that it lists`;
  return new StartError(
    `The secrets in the database were sealed with another ENCRYPTION_KEY${given}: set that one (if it was never set, ` +
      'it is in the file encryption-key of the original DATA_DIR). To use a new key, set both, the new one first: ' +
      'ENCRYPTION_KEY=NEW,OLD, and then run npm start -- --rotate-keys (docs/security.md)',
  );
}

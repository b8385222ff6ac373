import { Injectable } from '@nestjs/common';
import { SecretBox } from '../platform/crypto/secret-box.js';
import { StartError } from '../config/start-error.js';
import { KeyCheckRepository } from './key-check.repository.js';

/** Under this name the database keeps a text that was sealed with the key of its secrets. */
const name = 'encryption_check';

/** Checks at the start that the key fits the data; otherwise each secret would fail later, one by one. */
@Injectable()
export class KeyCheck {
  constructor(
    private readonly repository: KeyCheckRepository,
    private readonly box: SecretBox,
  ) {}

  /** Throws `StartError` if the secrets in the database were sealed with another key. */
  async run(): Promise<void> {
    // If two nodes start at once, the text of the faster one is stored.
    const kept = await this.repository.kept(name, this.box.seal('the key of these data', name));
    try {
      this.box.open(kept, name);
    } catch {
      throw new StartError(
        'The secrets in the database were sealed with another ENCRYPTION_KEY: set that one (if it was never set, ' +
          'it is in the file encryption-key of the original DATA_DIR)',
      );
    }
  }
}

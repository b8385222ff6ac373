import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEncryptionKey, isJwtSecret, keysIn } from './login-settings.js';
import type { Settings } from './settings.js';
import { StartError } from './start-error.js';

/** The keys that the present ones took the place of, newest first. */
interface OlderKeys {
  jwtSecrets: readonly string[];
  encryptionKeys: readonly Buffer[];
}

/** The two keys of the service, and older ones: what those signed and sealed is still read. */
export class Secrets {
  constructor(
    readonly jwtSecret: string,
    /** 32 bytes. */
    readonly encryptionKey: Buffer,
    readonly older: OlderKeys = { jwtSecrets: [], encryptionKeys: [] },
  ) {}

  /** The present key first. */
  get jwtSecrets(): string[] {
    return [this.jwtSecret, ...this.older.jwtSecrets];
  }

  /** The present key first. */
  get encryptionKeys(): Buffer[] {
    return [this.encryptionKey, ...this.older.encryptionKeys];
  }
}

/** Reads a stored secret, or makes one; processes that start together agree on the first one written. */
function keptSecret(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('hex'), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8').trim();
}

/** Like `keptSecret`, with a sentence where the folder cannot be used. */
function secretIn({ dataDir }: Settings, name: string): string {
  try {
    return keptSecret(dataDir, name);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      `The data folder ${dataDir} cannot be used (${code ?? message}): set DATA_DIR to a folder that this user can ` +
        `write to`,
    );
  }
}

/** The secrets from the settings; missing ones are generated once into the data folder (never in production). */
export function loadSecrets(settings: Settings): Secrets {
  const jwtSecrets = keysIn(settings.jwtSecret ?? secretIn(settings, 'jwt-secret'));
  const keys = keysIn(settings.encryptionKey ?? secretIn(settings, 'encryption-key'));
  const encryptionKeys = keys.map(decodeEncryptionKey).filter((key) => key !== undefined);
  const [[jwtSecret = '', ...olderSecrets], [encryptionKey, ...olderKeys]] = [jwtSecrets, encryptionKeys];
  // A truncated secret could be guessed, or could not decrypt what the whole one encrypted.
  if (!jwtSecrets.every(isJwtSecret)) throw damaged(settings, 'jwt-secret', 'delete it');
  if (!encryptionKey || encryptionKeys.length < keys.length) throw damaged(settings, 'encryption-key', 'restore it');
  return new Secrets(jwtSecret, encryptionKey, { jwtSecrets: olderSecrets, encryptionKeys: olderKeys });
}

function damaged({ dataDir }: Settings, name: string, remedy: string): StartError {
  const variable = name.replace('-', '_').toUpperCase();
  return new StartError(`The file ${join(dataDir, name)} is damaged: ${remedy}, or set ${variable}`);
}

import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEncryptionKey, type Settings } from './settings.js';
import { StartError } from './start-error.js';

/** The two keys of the service. */
export class Secrets {
  constructor(
    readonly jwtSecret: string,
    /** 32 bytes. */
    readonly encryptionKey: Buffer,
  ) {}
}

/** Reads a kept secret, or makes one; two processes that start together agree on the first one written. */
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

/** The secrets from the settings; those not set are generated once into the data folder (never in production). */
export function loadSecrets(settings: Settings): Secrets {
  const jwtSecret = settings.jwtSecret ?? keptSecret(settings.dataDir, 'jwt-secret');
  const encryptionKey = decodeEncryptionKey(settings.encryptionKey ?? keptSecret(settings.dataDir, 'encryption-key'));
  // Cut off, they would be guessable, or lock away what was sealed with the whole one.
  if (jwtSecret.length < 32) throw damaged(settings, 'jwt-secret', 'delete it');
  if (!encryptionKey) throw damaged(settings, 'encryption-key', 'restore it');
  return new Secrets(jwtSecret, encryptionKey);
}

function damaged({ dataDir }: Settings, name: string, remedy: string): StartError {
  const variable = name.replace('-', '_').toUpperCase();
  return new StartError(`The file ${join(dataDir, name)} is damaged: ${remedy}, or set ${variable}`);
}

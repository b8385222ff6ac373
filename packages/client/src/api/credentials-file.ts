import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { Failure } from '../failure.js';
import type { Surroundings } from '../surroundings.js';

export interface Credentials {
  address: string;
  key: string;
}

export type Place = Pick<Surroundings, 'env' | 'platform'>;

/** The user's configuration folder: according to the XDG Base Directory Specification, or Windows' own. */
function settingsFolder({ env, platform }: Place): string | null {
  const { APPDATA, XDG_CONFIG_HOME, HOME, USERPROFILE } = env;
  if (platform === 'win32' && APPDATA) return APPDATA;
  if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME;
  const home = HOME || USERPROFILE;
  return home ? join(home, '.config') : null;
}

/** The context that is used if none is named: the key that `store login` keeps without a name. */
export const usualContext = 'default';

/** The client's own folder; null for a user without a home. */
export function ownFolder(place: Place): string | null {
  const folder = settingsFolder(place);
  return folder === null ? null : join(folder, 'store-service');
}

/** Where `store login` keeps the key of a context; null for a user without a home. */
export function credentialsFile(place: Place, context = usualContext): string | null {
  const folder = ownFolder(place);
  if (folder === null) return null;
  return context === usualContext ? join(folder, 'credentials.json') : join(folder, 'contexts', `${context}.json`);
}

function isCredentials(value: unknown): value is Credentials {
  if (typeof value !== 'object' || value === null || !('address' in value) || !('key' in value)) return false;
  return typeof value.address === 'string' && typeof value.key === 'string';
}

function broken(file: string, why: string): Failure {
  return new Failure(`Cannot read ${file}: ${why}. Run \`store login\`, which writes it anew`);
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw broken(file, code === 'EACCES' ? 'you may not read it' : message);
  }
}

/** What `store login` kept for a context, or null; warns if other users can read the file. */
export function readCredentials(
  place: Place,
  warn: (message: string) => void,
  context = usualContext,
): Credentials | null {
  const file = credentialsFile(place, context);
  const content = file === null ? null : contentOf(file);
  if (file === null || content === null) return null;
  if (place.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
    warn(`Others on this machine may read your key: chmod 600 ${file}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw broken(file, 'it is no JSON');
  }
  if (!isCredentials(value)) throw broken(file, 'it holds no address and key');
  return value;
}

/** Stores them for this user alone, and returns the file. */
export function keepCredentials(place: Place, credentials: Credentials, context = usualContext): string {
  const file = credentialsFile(place, context);
  if (file === null) {
    throw new Failure('There is no home to keep the key in: set HOME or XDG_CONFIG_HOME, or use STORE_API_KEY instead');
  }
  writeOwnFile(file, `${JSON.stringify(credentials, null, 2)}\n`);
  return file;
}

/** Writes a file for this user alone: aside, and renamed, so that nobody reads half of it. */
export function writeOwnFile(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600 });
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Failure(`Cannot keep the key in ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Deletes them; returns the file, or null if there was none. */
export function forgetCredentials(place: Place, context = usualContext): string | null {
  const file = credentialsFile(place, context);
  if (file === null || contentOf(file) === null) return null;
  rmSync(file);
  return file;
}

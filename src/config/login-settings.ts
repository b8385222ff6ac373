import { isEmailAddress } from './email-format.js';
import type { EnvironmentReader } from './environment-reader.js';

const secondsPerUnit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function parseDuration(value: string): number | undefined {
  const match = /^(\d{1,7})([smhd]?)$/.exec(value);
  const seconds = match ? Number(match[1]) * (secondsPerUnit[match[2] || 's'] ?? 1) : 0;
  return seconds > 0 ? seconds : undefined;
}

/** Browsers keep no cookie longer than 400 days; and seconds must fit a column. */
const longestSessionSeconds = 400 * 86_400;
const sessionTakes = 'a duration up to 400d, such as 12h or 30d';

function parseSessionDuration(value: string): number | undefined {
  const seconds = parseDuration(value);
  return seconds !== undefined && seconds <= longestSessionSeconds ? seconds : undefined;
}

/** The 32 bytes of an ENCRYPTION_KEY written as 64 hexadecimal digits or as base64, or undefined. */
export function decodeEncryptionKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // Buffer skips characters that are not base64, and would accept nearly any text as a key.
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Whether it is long enough to sign with. */
export function isJwtSecret(text: string): boolean {
  return text.length >= 32;
}

/** The most keys of a list: the present one, and those that it took the place of. */
const mostKeys = 10;

/** The keys of a JWT_SECRET or an ENCRYPTION_KEY: the present one, then older ones. */
export function keysIn(text: string): string[] {
  return text.split(',').map((key) => key.trim());
}

/** Why a list of keys cannot be used, in words that do not hold a key; undefined if it can. */
function faultOfKeys(text: string, takes: string, isKey: (key: string) => boolean): string | undefined {
  const keys = keysIn(text);
  const wrong = keys.findIndex((key) => !isKey(key));
  if (wrong >= 0 && keys.length === 1) return `it takes ${takes}, or a list of such keys with commas, the newest first`;
  if (wrong >= 0) return `key ${wrong + 1} of its ${keys.length} is wrong: each takes ${takes}`;
  if (keys.length > mostKeys) return `it lists ${keys.length} keys, and takes at most ${mostKeys}`;
  if (new Set(keys).size < keys.length) return 'it lists a key twice: remove one of the two';
  return undefined;
}

/** Reads a list of keys as it was written. */
function readKeys(read: EnvironmentReader, name: string, takes: string, isKey: (key: string) => boolean) {
  const text = read.text(name);
  const fault = text === undefined ? undefined : faultOfKeys(text, takes, isKey);
  if (fault === undefined) return text;
  read.problems.push(`${name} cannot be used: ${fault}`);
  return undefined;
}

function assertChosenInProduction(read: EnvironmentReader): void {
  if (read.text('ACCESS_POLICY') === undefined) {
    read.problems.push(
      'ACCESS_POLICY must be chosen in production: "hardened" requires a login to change the catalog and ' +
        'testimonials and to read orders; "contract" leaves those operations public, as the interface description says',
    );
  }
  for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY']) {
    if (read.text(name) === undefined) {
      read.problems.push(`${name} must be set in production: make one with openssl rand -hex 32`);
    }
  }
}

/** Reads the settings of access, the first admin, and the lifetime and secrets of logins. */
export function readLoginSettings(read: EnvironmentReader, production: boolean) {
  if (production) assertChosenInProduction(read);
  return {
    jwtSecret: readKeys(read, 'JWT_SECRET', 'at least 32 characters', isJwtSecret),
    encryptionKey: readKeys(
      read,
      'ENCRYPTION_KEY',
      '32 bytes, as 64 hexadecimal digits or as base64',
      (key) => decodeEncryptionKey(key) !== undefined,
    ),
    adminUsername: read.parsed('ADMIN_USERNAME', '3 to 50 of A-Z a-z 0-9 _ . -', 'admin', (value) =>
      /^[A-Za-z0-9_.-]{3,50}$/.test(value) ? value : undefined,
    ),
    adminEmail: read.parsed('ADMIN_EMAIL', 'an e-mail address', 'admin@example.com', (value) =>
      isEmailAddress(value) ? value : undefined,
    ),
    adminPassword: read.secret(
      'ADMIN_PASSWORD',
      '8 to 128 characters',
      (value) => value.length >= 8 && value.length <= 128,
    ),
    adminTotp: read.choice('ADMIN_TOTP', 'optional', ['optional', 'required']),
    accessPolicy: read.choice('ACCESS_POLICY', 'contract', ['contract', 'hardened']),
    accessTokenTtlSeconds: read.parsed('ACCESS_TOKEN_TTL', 'a duration such as 900s, 15m, 1h', 3600, parseDuration),
    reauthenticateAfterSeconds: read.parsed(
      'REAUTHENTICATE_AFTER',
      'a duration such as 900s, 15m, 1h',
      900,
      parseDuration,
    ),
    refreshTokenTtlSeconds: read.parsed('REFRESH_TOKEN_TTL', sessionTakes, 30 * 86_400, parseSessionDuration),
    sessionTtlSeconds: read.parsed('SESSION_TTL', sessionTakes, 180 * 86_400, parseSessionDuration),
  };
}

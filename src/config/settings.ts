import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { StartError } from './start-error.js';

export type AccessPolicyName = 'contract' | 'hardened';
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Everything that the environment decides, read once at start. */
export class Settings {
  readonly production: boolean;
  readonly port: number;
  /** Whether PORT was given; a given port that is taken is an error, the default one makes way. */
  readonly portGiven: boolean;
  readonly host: string;
  /** Unset: the service runs a PostgreSQL of its own under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databasePoolSize: number;
  readonly preparedStatements: boolean;
  /** Memory for kept answers of public reads; 0 keeps none. */
  readonly responseCacheMegabytes: number;
  readonly dataDir: string;
  readonly jwtSecret: string | undefined;
  /** 32 bytes as hex or base64. */
  readonly encryptionKey: string | undefined;
  readonly adminUsername: string;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly accessPolicy: AccessPolicyName;
  readonly demoData: boolean;
  readonly accessTokenTtlSeconds: number;
  readonly egressAllow: string;
  /** How long scan events are kept. */
  readonly eventRetentionDays: number;
  readonly publicUrl: string | undefined;
  readonly trustProxy: boolean | number | string;
  readonly corsOrigins: string[];
  readonly logLevel: LogLevel;
  /** How long each retry of a webhook waits for: as many retries as there are entries. */
  readonly webhookRetrySeconds: number[];
  /** The largest report that is imported. */
  readonly importMaxMegabytes: number;

  constructor(values: Settings) {
    Object.assign(this, values);
  }
}

/** A setting that cannot be used; the message names the variable and says what it takes. */
export class SettingsError extends StartError {
  override name = 'SettingsError';

  constructor(problems: string[]) {
    super(`The settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

type Environment = Record<string, string | undefined>;

class Reader {
  readonly problems: string[] = [];

  constructor(private readonly environment: Environment) {}

  text(name: string): string | undefined {
    const value = this.environment[name]?.trim();
    return value === '' ? undefined : value;
  }

  /** The value that `parse` makes of the variable; `parse` answers undefined for one it does not take. */
  parsed<T>(name: string, takes: string, fallback: T, parse: (value: string) => T | undefined): T {
    const value = this.text(name);
    if (value === undefined) return fallback;
    const result = parse(value);
    if (result !== undefined) return result;
    this.problems.push(`${name} is ${JSON.stringify(value)}, and takes ${takes}`);
    return fallback;
  }

  /** As `parsed`, for a variable whose value must not come to light in a log. */
  secret(name: string, takes: string, isUsable: (value: string) => boolean): string | undefined {
    const value = this.text(name);
    if (value === undefined || isUsable(value)) return value;
    this.problems.push(`${name} cannot be used: it takes ${takes}`);
    return undefined;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    return this.parsed(name, `a whole number from ${min} to ${max}`, fallback, (value) => {
      const number = Number(value);
      return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined;
    });
  }

  flag(name: string, fallback: boolean): boolean {
    return this.parsed(name, 'true or false', fallback, (value) =>
      value === 'true' ? true : value === 'false' ? false : undefined,
    );
  }

  choice<T extends string>(name: string, fallback: T, choices: readonly T[]): T {
    return this.parsed(name, `one of ${choices.join(', ')}`, fallback, (value) => choices.find((one) => one === value));
  }
}

const secondsPerUnit: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

function parseDuration(value: string): number | undefined {
  const match = /^(\d{1,7})([smhd]?)$/.exec(value);
  const seconds = match ? Number(match[1]) * (secondsPerUnit[match[2] || 's'] ?? 1) : 0;
  return seconds > 0 ? seconds : undefined;
}

const defaultWebhookRetrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

function parseWaits(value: string): number[] | undefined {
  const waits = value.split(',').map((wait) => wait.trim());
  const fit = waits.length <= 30 && waits.every((wait) => /^\d{1,7}(\.\d{1,3})?$/.test(wait));
  return fit ? waits.map(Number) : undefined;
}

function parseTrustProxy(value: string): boolean | number | string | undefined {
  if (value === 'true') return true;
  if (value === 'false') return false;
  if (/^\d{1,2}$/.test(value)) return Number(value);
  const hops = value.split(',').map((hop) => hop.trim());
  return hops.every(isProxy) ? hops.join(', ') : undefined;
}

/** Whether Express takes it for a proxy: an address, a range of addresses, or one of its own names for ranges. */
function isProxy(hop: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(hop)) return true;
  const [address = '', prefix, ...rest] = hop.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (version === 4 ? 32 : 128))
  );
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text.toLowerCase();
}

function parseOrigins(value: string): string[] | undefined {
  const origins = value.split(',').map((origin) => origin.trim().replace(/\/$/, ''));
  return origins.every((origin) => origin === '*' || isOrigin(origin)) ? origins : undefined;
}

function parseUrl(value: string, protocols: string[]): string | undefined {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  return url && protocols.includes(url.protocol) ? value.replace(/\/+$/, '') : undefined;
}

/** The 32 bytes of an ENCRYPTION_KEY written as 64 hexadecimal digits or as base64, or undefined. */
export function decodeEncryptionKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // Buffer passes over what is no base64, and would make a key of nearly anything.
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function demandProductionSettings(read: Reader): void {
  if (read.text('ACCESS_POLICY') === undefined) {
    read.problems.push(
      'ACCESS_POLICY must be chosen in production: "hardened" asks for a login before the catalogue and testimonials ' +
        'are written and orders are read; "contract" leaves those operations public, as the interface description has them',
    );
  }
  for (const name of ['JWT_SECRET', 'ENCRYPTION_KEY']) {
    if (read.text(name) === undefined) {
      read.problems.push(`${name} must be set in production; make one with: openssl rand -hex 32`);
    }
  }
}

/** Reads the settings from the environment; throws `SettingsError` that names every variable that cannot be used. */
export function loadSettings(environment: Environment): Settings {
  const read = new Reader(environment);
  const production = environment['NODE_ENV'] === 'production';
  const settings = new Settings({
    production,
    port: read.integer('PORT', 3000, 0, 65_535),
    portGiven: read.text('PORT') !== undefined,
    host: read.text('HOST') ?? '127.0.0.1',
    databaseUrl: read.secret(
      'DATABASE_URL',
      'a URL such as postgres://user:password@host:5432/database',
      (value) => parseUrl(value, ['postgres:', 'postgresql:']) !== undefined,
    ),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 2, 200),
    preparedStatements: read.flag('PREPARED_STATEMENTS', true),
    responseCacheMegabytes: read.integer('RESPONSE_CACHE_MB', 64, 0, 65_536),
    dataDir: resolve(read.text('DATA_DIR') ?? '.data'),
    jwtSecret: read.secret('JWT_SECRET', 'at least 32 characters', (value) => value.length >= 32),
    encryptionKey: read.secret(
      'ENCRYPTION_KEY',
      '32 bytes, as 64 hexadecimal digits or as base64',
      (value) => decodeEncryptionKey(value) !== undefined,
    ),
    adminUsername: read.parsed('ADMIN_USERNAME', '3 to 50 of A-Z a-z 0-9 _ . -', 'admin', (value) =>
      /^[A-Za-z0-9_.-]{3,50}$/.test(value) ? value : undefined,
    ),
    adminEmail: read.parsed('ADMIN_EMAIL', 'an e-mail address', 'admin@example.com', (value) =>
      /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) && value.length <= 254 ? value : undefined,
    ),
    adminPassword: read.secret(
      'ADMIN_PASSWORD',
      '8 to 128 characters',
      (value) => value.length >= 8 && value.length <= 128,
    ),
    accessPolicy: read.choice('ACCESS_POLICY', 'contract', ['contract', 'hardened']),
    demoData: read.flag('DEMO_DATA', !production),
    accessTokenTtlSeconds: read.parsed('ACCESS_TOKEN_TTL', 'a duration such as 900s, 15m, 1h', 3600, parseDuration),
    egressAllow: read.text('EGRESS_ALLOW') ?? '',
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS', 365, 1, 36_500),
    publicUrl: read.parsed<string | undefined>('PUBLIC_URL', 'an http(s) URL', undefined, (value) =>
      parseUrl(value, ['http:', 'https:']),
    ),
    trustProxy: read.parsed(
      'TRUST_PROXY',
      'true, false, a number of hops, or a comma list of addresses and ranges',
      false,
      parseTrustProxy,
    ),
    corsOrigins: read.parsed('CORS_ORIGINS', 'a comma list of origins, or *', [], parseOrigins),
    logLevel: read.choice('LOG_LEVEL', 'info', logLevels),
    webhookRetrySeconds: read.parsed(
      'WEBHOOK_RETRY_SECONDS',
      'a comma list of at most 30 waits in seconds, such as 5,300,1800',
      defaultWebhookRetrySeconds,
      parseWaits,
    ),
    importMaxMegabytes: read.integer('IMPORT_MAX_MB', 50, 1, 1_024),
  });
  if (production) demandProductionSettings(read);
  if (read.problems.length > 0) throw new SettingsError(read.problems);
  return settings;
}

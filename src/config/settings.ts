import { Resolver } from 'node:dns';
import { resolve } from 'node:path';
import { type BackupSettings, readBackupSettings } from './backup-settings.js';
import { readDatabaseUrl } from './database-url.js';
import { type Environment, EnvironmentReader } from './environment-reader.js';
import { type MailSettings, readMailSettings } from './mail-settings.js';
import { type Quotas, readQuotas } from './quotas.js';
import { StartError } from './start-error.js';
import { readStorageSettings, type StorageSettings } from './storage-settings.js';
import { readTraceSettings, type TraceSettings } from './trace-settings.js';
import { parseTrustProxy } from './trust-proxy.js';
import { readReplicaUrls } from './replica-settings.js';
import { readWorkers } from './workers-setting.js';
import { parseUrl } from './parse-url.js';

export type AccessPolicyName = 'contract' | 'hardened';
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Everything that the environment decides, read once at start. */
export class Settings {
  readonly production: boolean;
  readonly port: number;
  /** Whether PORT was given: a given port that is taken is an error, the default gives way to the next one. */
  readonly portGiven: boolean;
  readonly host: string;
  /** How many processes serve, as one node. */
  readonly workers: number;
  /** How long it still serves after SIGTERM, while it says that it is not ready. */
  readonly drainSeconds: number;
  /** Unset: the service runs a PostgreSQL of its own under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Past a pooler at `databaseUrl`, for what needs a session of its own. */
  readonly databaseUrlDirect: string | undefined;
  /** Servers that replay the log of `databaseUrl`, for reads that may be a moment old. */
  readonly databaseReplicaUrls: string[];
  /** How far behind one may be that serves. */
  readonly replicaLagSeconds: number;
  /** How many connections of clients this node holds at once, in all and of one address. */
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  /** How long a whole request may take to arrive. */
  readonly requestTimeoutSeconds: number;
  /** Memory for JSON bodies that are still arriving, together. */
  readonly bodyMemoryMegabytes: number;
  readonly databasePoolSize: number;
  /** Connections beside those, for searches alone. */
  readonly searchPoolSize: number;
  /** How long one search may take. */
  readonly searchSeconds: number;
  /** Unset: wherever they are kept. */
  readonly preparedStatements: boolean | undefined;
  /** Memory for cached answers of public reads; 0 keeps none. */
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
  /** Whether the console is served at `/console/`. */
  readonly console: boolean;
  readonly accessTokenTtlSeconds: number;
  /** How long a session lasts without being used, and at most. */
  readonly refreshTokenTtlSeconds: number;
  readonly sessionTtlSeconds: number;
  /** Memory that decoding pictures may take at once. */
  readonly pictureMemoryMegabytes: number;
  readonly egressAllow: string;
  /** Empty: the system's. */
  readonly dnsServers: string[];
  /** How long scan events are kept. */
  readonly eventRetentionDays: number;
  /** How long entries of the audit log are kept. */
  readonly auditRetentionDays: number;
  readonly publicUrl: string | undefined;
  /** How many proxies stand before the service, or which addresses they have; false where there are none. */
  readonly trustProxy: false | number | string;
  /** Demanded at /metrics of callers from other machines; unset, only this machine may read them. */
  readonly metricsToken: string | undefined;
  readonly corsOrigins: string[];
  readonly logLevel: LogLevel;
  /** How long each retry of a webhook waits for: as many retries as there are entries. */
  readonly webhookRetrySeconds: number[];
  readonly mail: MailSettings;
  readonly storage: StorageSettings;
  readonly backup: BackupSettings;
  readonly traces: TraceSettings;
  /** How many streams of events this node has open at once. */
  readonly mostEventFollowers: number;
  /** The largest report that is imported. */
  readonly importMaxMegabytes: number;
  /** How much one user, organization or address may hold or do. */
  readonly quotas: Quotas;

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

const defaultWebhookRetrySeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

function parseWaits(value: string): number[] | undefined {
  const waits = value.split(',').map((wait) => wait.trim());
  const fit = waits.length <= 30 && waits.every((wait) => /^\d{1,7}(\.\d{1,3})?$/.test(wait));
  return fit ? waits.map(Number) : undefined;
}

function parseNameServers(value: string): string[] | undefined {
  const servers = value.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    return undefined;
  }
}

/** Pages that are developed on this machine, at any port. */
const localOrigins = ['http://localhost:*', 'http://127.0.0.1:*'];

/** An origin as browsers write it; its port may be `*`. */
function isOrigin(text: string): boolean {
  const one = text.replace(/:\*$/, '');
  return !one.includes('*') && parseUrl(one)?.origin === one;
}

function parseOrigins(value: string): string[] | undefined {
  if (value === 'none') return [];
  const origins = value.split(',').map((origin) => origin.trim().toLowerCase().replace(/\/$/, ''));
  return origins.every((origin) => origin === '*' || isOrigin(origin)) ? origins : undefined;
}

function withoutSlashesAtTheEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === '/') end--;
  return text.slice(0, end);
}

function parseWebUrl(value: string): string | undefined {
  const protocol = parseUrl(value)?.protocol ?? '';
  return ['http:', 'https:'].includes(protocol) ? withoutSlashesAtTheEnd(value) : undefined;
}

/** The 32 bytes of an ENCRYPTION_KEY written as 64 hexadecimal digits or as base64, or undefined. */
export function decodeEncryptionKey(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  // Buffer skips what is not base64, and would make a key of nearly anything.
  return /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

function assertProductionSettings(read: EnvironmentReader): void {
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
  const read = new EnvironmentReader(environment);
  const production = environment['NODE_ENV'] === 'production';
  const settings = new Settings({
    production,
    port: read.integer('PORT', 3000, 0, 65_535),
    portGiven: read.text('PORT') !== undefined,
    host: read.text('HOST') ?? '127.0.0.1',
    workers: readWorkers(read),
    drainSeconds: read.integer('DRAIN_SECONDS', 0, 0, 300),
    databaseUrl: readDatabaseUrl(read, 'DATABASE_URL'),
    databaseUrlDirect: readDatabaseUrl(read, 'DATABASE_URL_DIRECT'),
    databaseReplicaUrls: readReplicaUrls(read),
    replicaLagSeconds: read.integer('REPLICA_LAG_SECONDS', 10, 1, 3_600),
    maxConnections: read.integer('MAX_CONNECTIONS', 2_000, 10, 100_000),
    maxConnectionsPerAddress: read.integer('MAX_CONNECTIONS_PER_ADDRESS', 256, 1, 100_000),
    requestTimeoutSeconds: read.integer('REQUEST_TIMEOUT_SECONDS', 120, 1, 86_400),
    bodyMemoryMegabytes: read.integer('BODY_MEMORY_MB', 64, 1, 65_536),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 2, 200),
    searchPoolSize: read.integer('DATABASE_SEARCH_POOL_SIZE', 4, 1, 50),
    searchSeconds: read.integer('SEARCH_SECONDS', 10, 1, 600),
    preparedStatements: read.flag('PREPARED_STATEMENTS', undefined),
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
      /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(value) && value.length <= 254 ? value : undefined,
    ),
    adminPassword: read.secret(
      'ADMIN_PASSWORD',
      '8 to 128 characters',
      (value) => value.length >= 8 && value.length <= 128,
    ),
    accessPolicy: read.choice('ACCESS_POLICY', 'contract', ['contract', 'hardened']),
    demoData: read.flag('DEMO_DATA', !production),
    console: read.flag('CONSOLE', true),
    accessTokenTtlSeconds: read.parsed('ACCESS_TOKEN_TTL', 'a duration such as 900s, 15m, 1h', 3600, parseDuration),
    refreshTokenTtlSeconds: read.parsed('REFRESH_TOKEN_TTL', sessionTakes, 30 * 86_400, parseSessionDuration),
    sessionTtlSeconds: read.parsed('SESSION_TTL', sessionTakes, 180 * 86_400, parseSessionDuration),
    pictureMemoryMegabytes: read.integer('PICTURE_MEMORY_MB', 512, 64, 65_536),
    egressAllow: read.text('EGRESS_ALLOW') ?? '',
    dnsServers: read.parsed('DNS_SERVERS', 'a comma list of addresses, with or without a port', [], parseNameServers),
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS', 365, 1, 36_500),
    auditRetentionDays: read.integer('AUDIT_RETENTION_DAYS', 730, 1, 36_500),
    publicUrl: read.parsed<string | undefined>('PUBLIC_URL', 'an http(s) URL', undefined, parseWebUrl),
    mail: readMailSettings(read, parseWebUrl),
    storage: readStorageSettings(read, parseWebUrl),
    backup: readBackupSettings(read),
    traces: readTraceSettings(read),
    trustProxy: read.parsed<false | number | string>(
      'TRUST_PROXY',
      'false, the number of proxies in front, or a comma list of their addresses and ranges',
      false,
      parseTrustProxy,
    ),
    metricsToken: read.secret('METRICS_TOKEN', '16 to 512 of A-Z a-z 0-9 . _ ~ + / - =', (value) =>
      /^[\w.~+/=-]{16,512}$/.test(value),
    ),
    corsOrigins: read.parsed(
      'CORS_ORIGINS',
      'a comma list of origins, such as https://shop.example or http://localhost:*, or *, or none',
      production ? [] : localOrigins,
      parseOrigins,
    ),
    logLevel: read.choice('LOG_LEVEL', 'info', logLevels),
    webhookRetrySeconds: read.parsed(
      'WEBHOOK_RETRY_SECONDS',
      'a comma list of at most 30 waits in seconds, such as 5,300,1800',
      defaultWebhookRetrySeconds,
      parseWaits,
    ),
    mostEventFollowers: read.integer('EVENT_FOLLOWERS', 1_000, 1, 100_000),
    importMaxMegabytes: read.integer('IMPORT_MAX_MB', 50, 1, 1_024),
    quotas: readQuotas(read),
  });
  if (settings.databaseUrlDirect !== undefined && read.text('DATABASE_URL') === undefined) {
    read.problems.push('DATABASE_URL_DIRECT leads past a pooler: set DATABASE_URL to the pooler, or leave it out');
  }
  if (production) assertProductionSettings(read);
  if (read.problems.length > 0) throw new SettingsError(read.problems);
  return settings;
}

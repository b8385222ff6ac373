import { Resolver } from 'node:dns';
import { resolve } from 'node:path';
import { type BackupSettings, readBackupSettings } from './backup-settings.js';
import { type Environment, EnvironmentReader } from './environment-reader.js';
import { readLoginSettings } from './login-settings.js';
import { type MailSettings, readMailSettings } from './mail-settings.js';
import { mistypedNames } from './near-names.js';
import { type OidcSettings, readOidcSettings } from './oidc-settings.js';
import { parseWebOrigin, parseWebUrl } from './parse-url.js';
import { type PaymentSettings, readPaymentSettings } from './payment-settings.js';
import { type Quotas, readQuotas } from './quotas.js';
import { readServerSettings } from './server-settings.js';
import { readShopSettings, type ShopSettings } from './shop-settings.js';
import { StartError } from './start-error.js';
import { readStorageSettings, type StorageSettings } from './storage-settings.js';
import { readThreatFeedSettings, type ThreatFeed } from './threat-feed-settings.js';
import { readTraceSettings, type TraceSettings } from './trace-settings.js';
import { readDatabaseUrl } from './database-url.js';

/** Reads the settings of the database and its connections. */
function readDatabaseSettings(read: EnvironmentReader) {
  const settings = {
    databaseUrl: readDatabaseUrl(read, 'DATABASE_URL'),
    databaseUrlDirect: readDatabaseUrl(read, 'DATABASE_URL_DIRECT'),
    databasePoolSize: read.integer('DATABASE_POOL_SIZE', 10, 2, 200),
    databasePatienceSeconds: read.integer('DATABASE_PATIENCE_SECONDS', 2, 1, 60),
    searchSeconds: read.integer('SEARCH_SECONDS', 10, 1, 600),
    preparedStatements: read.flag('PREPARED_STATEMENTS', undefined),
  };
  if (settings.databaseUrlDirect !== undefined && read.text('DATABASE_URL') === undefined) {
    read.problems.push(
      'DATABASE_URL_DIRECT leads past a pooler: set DATABASE_URL to the pooler, or remove DATABASE_URL_DIRECT',
    );
  }
  return settings;
}

export type AccessPolicyName = 'contract' | 'hardened';
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];
const logFormats = ['json', 'ecs', 'text'] as const;
/** `ecs`: by the Elastic Common Schema. `text`: for people. */
export type LogFormat = (typeof logFormats)[number];

/** Everything that the environment decides, read once at start. */
export class Settings {
  readonly production: boolean;
  readonly port: number;
  /** Whether PORT was given: a given port that is taken is an error, the default gives way to the next one. */
  readonly portGiven: boolean;
  readonly host: string;
  /** The seconds that it still serves after SIGTERM, while it says that it is not ready. */
  readonly drainSeconds: number;
  /** Unset: the service runs a PostgreSQL of its own under `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Bypasses the pooler at `databaseUrl`, for work that needs a session of its own. */
  readonly databaseUrlDirect: string | undefined;
  /** How long a request waits for a database that does not answer. */
  readonly databasePatienceSeconds: number;
  /** The most connections of clients on this node at once; of one address, an eighth. */
  readonly maxConnections: number;
  /** The time limit for a whole request to arrive. */
  readonly requestTimeoutSeconds: number;
  /** How long a client may stop reading its response. */
  readonly unreadSeconds: number;
  /** The memory for responses that clients have not read yet. */
  readonly answerMemoryMegabytes: number;
  /** Memory for JSON bodies that are still arriving, together. */
  readonly bodyMemoryMegabytes: number;
  readonly databasePoolSize: number;
  /** The time limit of one search. */
  readonly searchSeconds: number;
  /** Unset: where the connection keeps them. */
  readonly preparedStatements: boolean | undefined;
  /** Memory for cached answers of public reads; 0 keeps none. */
  readonly responseCacheMegabytes: number;
  readonly dataDir: string;
  /** One key, or several with commas: the newest first. */
  readonly jwtSecret: string | undefined;
  /** The same, each of 32 bytes as hex or base64. */
  readonly encryptionKey: string | undefined;
  readonly adminUsername: string;
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  /** Whether admins must have two-factor login. */
  readonly adminTotp: 'optional' | 'required';
  readonly accessPolicy: AccessPolicyName;
  readonly demoData: boolean;
  /** Whether the console is served at `/console/`. */
  readonly console: boolean;
  /** Whether the shop front is served at `/`. */
  readonly storefront: boolean;
  /** The address of a shop front on a machine of its own. */
  readonly storefrontUrl: string | undefined;
  /** Whether the page about the interface is served at `/docs`. */
  readonly docs: boolean;
  readonly accessTokenTtlSeconds: number;
  /** The maximum age of a login that may change passwords and other credentials. */
  readonly reauthenticateAfterSeconds: number;
  /** How long a session lasts unused, and at most. */
  readonly refreshTokenTtlSeconds: number;
  readonly sessionTtlSeconds: number;
  /** Memory that decoding pictures may take at once. */
  readonly pictureMemoryMegabytes: number;
  readonly egressAllow: string;
  /** The proxy of outbound requests. */
  readonly egressProxy: string | undefined;
  /** Empty: the system's. */
  readonly dnsServers: string[];
  /** How long scan events are kept. */
  readonly eventRetentionDays: number;
  /** How long entries of the audit log are kept. */
  readonly auditRetentionDays: number;
  /** How long scans and resolved issues are kept; 0: for good. */
  readonly scanRetentionDays: number;
  /** How long an unchanged cart keeps its items. */
  readonly cartRetentionDays: number;
  /** How long an unused picture is kept. */
  readonly unusedUploadDays: number;
  readonly publicUrl: string | undefined;
  /** The number or the addresses of proxies in front of the service; false for none. */
  readonly trustProxy: false | number | string;
  /** Required at /metrics from other machines; unset, only this machine may read them. */
  readonly metricsToken: string | undefined;
  readonly corsOrigins: string[];
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  /** The wait before each retry of a webhook: as many retries as entries. */
  readonly webhookRetrySeconds: number[];
  readonly mail: MailSettings;
  readonly shop: ShopSettings;
  readonly payments: PaymentSettings;
  /** Unset: users sign in with passwords alone. */
  readonly oidc: OidcSettings | undefined;
  /** How many pieces left are few. */
  readonly lowStock: number;
  readonly storage: StorageSettings;
  readonly backup: BackupSettings;
  readonly traces: TraceSettings;
  /** The most open streams of events on this node. */
  readonly mostEventFollowers: number;
  /** Where stolen passwords are looked up. */
  readonly breachedPasswordsUrl: string | undefined;
  /** The feeds that say which vulnerabilities are exploited. */
  readonly threatFeeds: ThreatFeed[];
  /** The largest report that may be imported. */
  readonly importMaxMegabytes: number;
  /** Limits on the holdings and acts of one user, organization or address. */
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

/** Reads the settings from the environment; throws `SettingsError` that names every variable that cannot be used. */
export function loadSettings(environment: Environment): Settings {
  const read = new EnvironmentReader(environment);
  const production = read.choice('NODE_ENV', 'development', ['development', 'test', 'production']) === 'production';
  const database = readDatabaseSettings(read);
  const dataDir = resolve(read.text('DATA_DIR') ?? '.data');
  const settings = new Settings({
    production,
    ...readServerSettings(read, production),
    ...database,
    ...readLoginSettings(read, production),
    responseCacheMegabytes: read.integer('RESPONSE_CACHE_MB', 64, 0, 65_536),
    dataDir,
    demoData: read.flag('DEMO_DATA', !production),
    console: read.flag('CONSOLE', true),
    storefront: read.flag('STOREFRONT', true),
    storefrontUrl: read.parsed<string | undefined>(
      'STOREFRONT_URL',
      'an http(s) URL without a path, such as https://shop.example.com: the shop front is at the root of a host',
      undefined,
      parseWebOrigin,
    ),
    docs: read.flag('DOCS', !production),
    pictureMemoryMegabytes: read.integer('PICTURE_MEMORY_MB', 512, 64, 65_536),
    egressAllow: read.text('EGRESS_ALLOW') ?? '',
    egressProxy: read.text('EGRESS_PROXY'),
    dnsServers: read.parsed(
      'DNS_SERVERS',
      'a comma-separated list of addresses, with or without a port',
      [],
      parseNameServers,
    ),
    eventRetentionDays: read.integer('EVENT_RETENTION_DAYS', 365, 1, 36_500),
    auditRetentionDays: read.integer('AUDIT_RETENTION_DAYS', 730, 1, 36_500),
    breachedPasswordsUrl: read.parsed<string | undefined>(
      'BREACHED_PASSWORDS_URL',
      'an http(s) URL',
      undefined,
      parseWebUrl,
    ),
    threatFeeds: readThreatFeedSettings(read),
    scanRetentionDays: read.integer('SCAN_RETENTION_DAYS', 0, 0, 36_500),
    cartRetentionDays: read.integer('CART_RETENTION_DAYS', 180, 1, 36_500),
    unusedUploadDays: read.integer('UNUSED_UPLOAD_DAYS', 90, 1, 36_500),
    mail: readMailSettings(read),
    shop: readShopSettings(read),
    payments: readPaymentSettings(read),
    oidc: readOidcSettings(read, production),
    storage: readStorageSettings(read),
    backup: readBackupSettings(read, { dataDir, isEmbedded: database.databaseUrl === undefined }),
    traces: readTraceSettings(read),
    logLevel: read.choice('LOG_LEVEL', 'info', logLevels),
    logFormat: read.choice('LOG_FORMAT', 'json', logFormats),
    webhookRetrySeconds: read.parsed(
      'WEBHOOK_RETRY_SECONDS',
      'a comma-separated list of at most 30 waits in seconds, such as 5,300,1800',
      defaultWebhookRetrySeconds,
      parseWaits,
    ),
    lowStock: read.integer('LOW_STOCK', 5, 0, 1_000_000),
    mostEventFollowers: read.integer('EVENT_FOLLOWERS', 1_000, 1, 100_000),
    importMaxMegabytes: read.integer('IMPORT_MAX_MB', 50, 1, 1_024),
    quotas: readQuotas(read),
  });
  read.problems.push(...mistypedNames(environment, read.names));
  if (read.problems.length > 0) throw new SettingsError(read.problems);
  return settings;
}

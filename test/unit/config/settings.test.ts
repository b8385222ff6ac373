import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeEncryptionKey } from '../../../src/config/login-settings.js';
import { loadSettings, SettingsError } from '../../../src/config/settings.js';

const hexKey = 'ab'.repeat(32);
const production = {
  NODE_ENV: 'production',
  ACCESS_POLICY: 'hardened',
  JWT_SECRET: 'j'.repeat(32),
  ENCRYPTION_KEY: hexKey,
};

function problemsOf(environment: Record<string, string>): string {
  try {
    loadSettings(environment);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('loadSettings', () => {
  it('has a default for everything', () => {
    expect(loadSettings({})).toMatchObject({
      production: false,
      port: 3000,
      portGiven: false,
      host: '127.0.0.1',
      databaseUrl: undefined,
      databaseUrlDirect: undefined,
      preparedStatements: undefined,
      dataDir: resolve('.data'),
      jwtSecret: undefined,
      encryptionKey: undefined,
      adminUsername: 'admin',
      adminPassword: undefined,
      accessPolicy: 'contract',
      demoData: true,
      accessTokenTtlSeconds: 3600,
      egressAllow: '',
      publicUrl: undefined,
      trustProxy: false,
      corsOrigins: ['http://localhost:*', 'http://127.0.0.1:*'],
      logLevel: 'info',
    });
  });

  it('takes quotas by a list of limits, and leaves the others as they are', () => {
    const { quotas } = loadSettings({ QUOTAS: 'assets=200000, api-keys=1' });
    expect([quotas.assets.limit, quotas.apiKeys.limit, quotas.members.limit]).toEqual([200_000, 1, 1_000]);
    for (const wrong of [
      'assets',
      'assets=0',
      'assets=9999999999',
      'assets=-1',
      'asset=5',
      'assets=5;members=5',
      ',',
    ]) {
      expect(problemsOf({ QUOTAS: wrong })).toContain('QUOTAS is ');
    }
  });

  it('treats an empty variable as unset', () => {
    const empty = Object.fromEntries(['PORT', 'DATABASE_URL', 'JWT_SECRET', 'DEMO_DATA'].map((name) => [name, '  ']));
    expect(loadSettings(empty)).toEqual(loadSettings({}));
  });

  it.each([
    ['PORT', '8080', 'port', 8080],
    ['PORT', '0', 'port', 0],
    ['DATABASE_URL', 'postgresql://u:p@h/d', 'databaseUrl', 'postgresql://u:p@h/d'],
    ['PREPARED_STATEMENTS', 'false', 'preparedStatements', false],
    ['DEMO_DATA', 'false', 'demoData', false],
    ['ACCESS_POLICY', 'hardened', 'accessPolicy', 'hardened'],
    ['ACCESS_TOKEN_TTL', '90', 'accessTokenTtlSeconds', 90],
    ['ACCESS_TOKEN_TTL', '15m', 'accessTokenTtlSeconds', 900],
    ['ACCESS_TOKEN_TTL', '2d', 'accessTokenTtlSeconds', 172_800],
    ['PUBLIC_URL', 'https://shop.example/', 'publicUrl', 'https://shop.example'],
    ['STOREFRONT_URL', 'https://shop.example/', 'storefrontUrl', 'https://shop.example'],
    ['TRUST_PROXY', '0', 'trustProxy', false],
    ['TRUST_PROXY', '2', 'trustProxy', 2],
    ['TRUST_PROXY', 'loopback,10.0.0.0/8 , ::1', 'trustProxy', 'loopback, 10.0.0.0/8, ::1'],
    [
      'CORS_ORIGINS',
      'https://a.example/, http://b.example:8080',
      'corsOrigins',
      ['https://a.example', 'http://b.example:8080'],
    ],
    ['CORS_ORIGINS', '*', 'corsOrigins', ['*']],
    ['CORS_ORIGINS', 'none', 'corsOrigins', []],
    ['CORS_ORIGINS', 'https://shop.example:*', 'corsOrigins', ['https://shop.example:*']],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    [
      'STORAGE_URL',
      's3://key:a%2Fb%2Bc@s3.eu-central-1.amazonaws.com/pictures/of/a-shop/',
      'storage.bucket',
      {
        origin: 'https://s3.eu-central-1.amazonaws.com',
        bucket: 'pictures',
        prefix: 'of/a-shop/',
        region: 'eu-central-1',
        accessKeyId: 'key',
        secretAccessKey: 'a/b+c',
      },
    ],
    [
      'STORAGE_URL',
      's3://key:secret@10.0.0.5:9000/pictures?tls=false&region=home',
      'storage.bucket',
      {
        origin: 'http://10.0.0.5:9000',
        bucket: 'pictures',
        prefix: '',
        region: 'home',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
      },
    ],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://c.example:4318', 'traces.url', 'http://c.example:4318/v1/traces'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://c.example/otlp/', 'traces.url', 'https://c.example/otlp/v1/traces'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=a%3Db, y = 2', 'traces.headers', { 'x-key': 'a=b', y: '2' }],
    ['OTEL_RESOURCE_ATTRIBUTES', 'service.name=s,a.b=%C3%A9', 'traces.attributes', { 'service.name': 's', 'a.b': 'é' }],
    ['OTEL_SERVICE_NAME', 'shop', 'traces.attributes', { 'service.name': 'shop' }],
    ['OTEL_TRACES_SAMPLER', 'traceidratio', 'traces.sampler', 'traceidratio'],
    ['OTEL_TRACES_SAMPLER_ARG', '.25', 'traces.ratio', 0.25],
  ])('reads %s=%s', (name, value, setting, expected) => {
    expect(loadSettings({ [name]: value })).toHaveProperty(setting, expected);
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '3e3'],
    ['DATABASE_POOL_SIZE', '1'],
    ['DATABASE_URL', 'mysql://h/d'],
    ['DATABASE_URL', 'localhost'],
    ['DATABASE_URL_DIRECT', 'localhost'],
    ['DATABASE_URL_DIRECT', 'postgres://h/d'],
    ['PREPARED_STATEMENTS', 'auto'],
    ['JWT_SECRET', 'j'.repeat(31)],
    ['ENCRYPTION_KEY', 'ab'.repeat(31)],
    ['JWT_SECRET', `${'j'.repeat(32)},${'k'.repeat(31)}`],
    ['JWT_SECRET', `${'j'.repeat(32)},`],
    ['ENCRYPTION_KEY', `${'ab'.repeat(32)},${'ab'.repeat(31)}`],
    ['ADMIN_USERNAME', 'a b'],
    ['ADMIN_EMAIL', 'nobody'],
    ['ADMIN_PASSWORD', 'short'],
    ['ACCESS_POLICY', 'open'],
    ['DEMO_DATA', 'yes'],
    ['ACCESS_TOKEN_TTL', '0'],
    ['ACCESS_TOKEN_TTL', '1w'],
    ['NODE_ENV', 'Production'],
    ['NODE_ENV', 'prod'],
    ['NODE_ENV', 'staging'],
    ['PUBLIC_URL', 'ftp://shop.example'],
    ['PUBLIC_URL', 'https://shop.example/base'],
    ['PUBLIC_URL', 'https://shop.example/?a=b'],
    ['PUBLIC_URL', 'https://me@shop.example'],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '300.1.1.1'],
    ['CORS_ORIGINS', 'shop.example'],
    ['CORS_ORIGINS', 'https://shop.example/path'],
    ['CORS_ORIGINS', 'https://*.example'],
    ['METRICS_TOKEN', 'short'],
    ['METRICS_TOKEN', 'sixteen letters with blanks'],
    ['MAX_CONNECTIONS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['STORAGE_URL', 's3://host/bucket'],
    ['STORAGE_URL', 's3://key:sec/ret@host/bucket'],
    ['STORAGE_URL', 's3://key:secret@host'],
    ['STORAGE_URL', 's3://key:secret@host/B'],
    ['STORAGE_URL', 's3://key:secret@host/bucket?regoin=eu'],
    ['STORAGE_URL', 's3://key:secret@host/bucket?tls=no'],
    ['STORAGE_URL', 'https://key:secret@host/bucket'],
    ['PUBLIC_STORAGE_URL', 'cdn.example'],
    ['PUBLIC_STORAGE_URL', 'https://cdn.example'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x key=1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=a%0Ab'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-key=%zz'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_RESOURCE_ATTRIBUTES', '=1'],
    ['OTEL_SERVICE_NAME', 'a'.repeat(101)],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.1'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%'],
  ])('refuses %s=%s and names it', (name, value) => {
    expect(problemsOf({ [name]: value })).toContain(name);
  });

  it('says which key of a list is wrong, and shows none', () => {
    const [one, other] = ['ab'.repeat(32), 'cd'.repeat(32)];
    const of = (ENCRYPTION_KEY: string) => problemsOf({ ENCRYPTION_KEY });
    expect(of(`${one}, short`)).toContain(
      'ENCRYPTION_KEY cannot be used: key 2 of its 2 is wrong: each takes 32 bytes',
    );
    expect(of(`${one},${other},${one}`)).toContain('it lists a key twice: remove one of the two');
    expect(of(`${one},short`)).not.toContain(one);
    const many = Array.from({ length: 11 }, (_, at) => at.toString(16).padStart(64, '0')).join(',');
    expect(of(many)).toContain('it lists 11 keys, and takes at most 10');
  });

  it('names everything that is wrong at once', () => {
    const problems = problemsOf({ PORT: 'x', LOG_LEVEL: 'loud', DEMO_DATA: '1' });
    expect(problems.split('\n')).toHaveLength(4);
  });

  it.each([
    'DATABASE_URL',
    'DATABASE_URL_DIRECT',
    'JWT_SECRET',
    'ENCRYPTION_KEY',
    'ADMIN_PASSWORD',
    'METRICS_TOKEN',
    'STORAGE_URL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_EXPORTER_OTLP_HEADERS',
  ])('does not show the value of %s', (name) => {
    const problems = problemsOf({ [name]: 'mytext' });
    expect(problems).toContain(name);
    expect(problems).not.toContain('mytext');
  });

  it('requires the access policy and both secrets in production', () => {
    for (const name of ['ACCESS_POLICY', 'JWT_SECRET', 'ENCRYPTION_KEY']) {
      expect(problemsOf({ ...production, [name]: '' })).toContain(name);
    }
    expect(loadSettings(production)).toMatchObject({ production: true, accessPolicy: 'hardened', demoData: false });
  });
});

describe('decodeEncryptionKey', () => {
  it('accepts 32 bytes as hexadecimal digits and as base64', () => {
    const bytes = Buffer.from(hexKey, 'hex');
    expect(decodeEncryptionKey(hexKey)).toEqual(bytes);
    expect(decodeEncryptionKey(bytes.toString('base64'))).toEqual(bytes);
  });

  it.each(['', 'ab'.repeat(33), 'zz'.repeat(32), `${'A'.repeat(43)} `, '!'.repeat(20) + 'A'.repeat(43)])(
    'refuses "%s"',
    (text) => {
      expect(decodeEncryptionKey(text)).toBeUndefined();
    },
  );
});

describe('The settings of backups', () => {
  const backupOf = (environment: Record<string, string>) => loadSettings({ DATA_DIR: '/data', ...environment }).backup;
  const own = { DATABASE_URL: 'postgres://store@127.0.0.1/store' };

  it('are nightly into the data folder for the embedded server, and off beside a database of one’s own', () => {
    const nightly = { schedule: '15 3 * * *', place: { folder: '/data/backups' }, keep: { daily: 7, weekly: 4 } };
    expect(backupOf({})).toMatchObject(nightly);
    expect(backupOf(own).schedule).toBeNull();
    expect(backupOf({ ...own, BACKUP_SCHEDULE: '0 4 * * 1' }).schedule).toBe('0 4 * * 1');
    expect(backupOf({ BACKUP_SCHEDULE: 'off' }).schedule).toBeNull();
    expect(backupOf({ BACKUP_TO: 's3://KEY:SECRET@host/backups/nightly' }).place).toMatchObject({
      bucket: { bucket: 'backups', prefix: 'nightly/' },
    });
    expect(backupOf({ BACKUP_KEEP: '30 daily' }).keep).toEqual({ daily: 30, weekly: 0 });
  });

  it.each([
    ['BACKUP_SCHEDULE', ['daily', '* * * * * *', '0 0 31 2 *', 'H 3 * * *', '61 3 * * *']],
    ['BACKUP_KEEP', ['7', '0 daily', '7 days', '7 daily, 4', '1000 daily']],
    ['BACKUP_TO', ['s3://host/bucket', 'ftp://host/folder', 'https://host/bucket']],
  ])('refuse what %s does not take', (name, values) => {
    for (const value of values) expect(() => backupOf({ [name]: value })).toThrow(name);
  });
});

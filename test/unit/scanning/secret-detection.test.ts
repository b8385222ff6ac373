import { describe, expect, it } from '@jest/globals';
import { isSecretName, looksSecret } from '../../../src/scanning/secret-detection.js';

describe('isSecretName', () => {
  it.each([
    'key',
    'apiKey',
    'API_KEY',
    'apikey',
    'x-api-key',
    'accessKeyId',
    'token',
    'refreshToken',
    'personal_access_token',
    'clientSecret',
    'password',
    'passwd',
    'dbPwd',
    'passphrase',
    'credentials',
    'Authorization',
    'proxy-authorization',
    'basicAuth',
    'pat',
    'githubPAT',
    'set-cookie',
    'connectionString',
    'connection_string',
    'sharedAccessSignature',
  ])('is true of %s', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['url', 'name', 'region', 'author', 'path', 'username', 'projectId', 'zone', 'email', 'pattern', 'side'])(
    'is false of %s',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});

describe('looksSecret', () => {
  it.each([
    'ghp_0123456789abcdefghijABCDEFGHIJ012345',
    'glpat-xYz_123',
    'AKIAIOSFODNN7EXAMPLE',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
    'Bearer abc',
    'Basic dXNlcjpwYXNz',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----',
    'https://user:pass@example.com/',
    'https://token@example.com/',
    'https://example.com/hook?region=eu&access_token=abc',
    'AccountName=acme;AccountKey=abc==;EndpointSuffix=example.net',
    'Server=db;Password=abc',
    'https://hooks.example.com/services/T01ABC2DE/B03FGH4IJ/k7Q2mZ9xW4cV8bN1tY6pR3sL',
    'd41d8cd98f00b204e9800998ecf8427e',
    'wJalrXUtnFEMI7K7MDENGbPxRfiCYEXAMPLEKEY',
    'x'.repeat(4_097),
  ])('is true of %s', (text) => {
    expect(looksSecret(text)).toBe(true);
  });

  it.each([
    '',
    'eu-west-3',
    'https://example.com/acme/shop?page=2',
    'security@example.com',
    '0190b1c2-7a3d-7c11-9f00-0123456789ab',
    'arn:aws:iam::123456789012:role/StoreServiceScanner',
    'production-cluster-2024-europe-west',
    'MyProductionCluster2024Europe',
    '00000000000000000000000000',
    'A sentence of several words, which says what it is for.',
    'scanner.internal.example.com:8443',
  ])('is false of %s', (text) => {
    expect(looksSecret(text)).toBe(false);
  });

  it.each(['a', '?', '=', 'a=', '?a', '://', '@', ' ', '-----BEGIN ', 'Bearer', '=a=', 'a1 ', 'http://'])(
    'finds no secret in repetitions of "%s", and one in any text that is too long to search',
    (piece) => {
      const text = piece.repeat(5_000);
      expect([looksSecret(text.slice(0, 4_096)), looksSecret(text.slice(0, 4_097))]).toEqual([false, true]);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import { packageOf } from '../../../../src/scanning/reports/package-names.js';
import { withoutSecrets } from '../../../../src/scanning/reports/secret-masking.js';

describe('packageOf', () => {
  it.each([
    ['pkg:npm/left@1.2.3', 'pkg:npm/left', 'left', '1.2.3'],
    ['pkg:npm/%40acme/cart@1.0.0', 'pkg:npm/@acme/cart', '@acme/cart', '1.0.0'],
    ['pkg:npm/@acme/cart', 'pkg:npm/@acme/cart', '@acme/cart', ''],
    [
      'pkg:deb/debian/libssl3@3.0.11-1?arch=amd64&distro=debian-12',
      'pkg:deb/debian/libssl3',
      'debian/libssl3',
      '3.0.11-1',
    ],
    ['pkg:golang/example.com/a/b@v1.0.0#sub/path', 'pkg:golang/example.com/a/b', 'example.com/a/b', 'v1.0.0'],
    ['PKG:NPM/left@1%2B2', 'pkg:npm/left', 'left', '1+2'],
    ['pkg:npm/%zz@1', 'pkg:npm/%zz', '%zz', '1'],
  ])('reads %s', (purl, key, name, version) => {
    expect(packageOf({ purl })).toEqual({ key, name, version });
  });

  it.each([
    ['npm', '@acme/cart', 'pkg:npm/@acme/cart'],
    ['yarn', 'left', 'pkg:npm/left'],
    ['debian', 'libssl3', 'pkg:deb/debian/libssl3'],
    ['jar', 'org.acme:cart', 'pkg:maven/org.acme/cart'],
    ['unheard-of', 'cart', 'pkg:unheard-of/cart'],
    ['', 'cart', 'pkg:generic/cart'],
    ['constructor', 'cart', 'pkg:constructor/cart'],
  ])('names a package of %s without a purl as with one', (ecosystem, name, key) => {
    expect(packageOf({ ecosystem, name, version: '1' })).toEqual({ key, name, version: '1' });
  });

  it.each([[{}], [{ purl: 5, name: [] }], [{ purl: 'left@1' }]])('knows none in %j', (given) => {
    expect(packageOf(given)).toBeNull();
  });
});

describe('withoutSecrets', () => {
  it.each([
    'AKIAQQ7ZEXAMPLE9X2Y4',
    'ghp_0123456789abcdefABCDEF0123456789abcd',
    'postgres://shop:tr0ub4dor@db.example/shop',
    '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END PRIVATE KEY-----',
  ])('leaves nothing of %j', (secret) => {
    for (const text of [secret, `key = "${secret}";`, `a ${secret}, b`]) {
      expect(withoutSecrets(text)).not.toContain(secret.slice(0, 20));
    }
  });

  it('leaves what is none', () => {
    const text = 'const total = prices.reduce((sum, price) => sum + price, 0);';
    expect(withoutSecrets(text)).toBe(text);
  });
});

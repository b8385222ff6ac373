import { describe, expect, it } from '@jest/globals';
import { assetUri } from '../../../../src/scanning/assets/asset-uri.js';
import { uriOf } from '../../../../src/scanning/assets/asset-draft.js';
import { assetClasses } from '../../../../src/scanning/vocabulary.js';

describe('assetUri', () => {
  it.each([
    ['https://api.example.com/v1', 'api.example.com/v1'],
    ['http://api.example.com:8080', 'api.example.com:8080'],
    ['grpc://api.example.com:50051', 'api.example.com:50051'],
    ['https://Shop.Example.com/', 'shop.example.com'],
    ['https://shop.example.com/Path/?Q=1', 'shop.example.com/Path/?Q=1'],
    ['https://user:secret@shop.example.com/x', 'shop.example.com/x'],
    ['shop.example.com', 'shop.example.com'],
    ['2001:db8::1', '2001:db8::1'],
    ['my generated key', 'my generated key'],
  ])('turns %s into the address %s', (given, address) => {
    expect(assetUri('FRONTEND', given)).toBe(`asset://frontend/${address}`);
  });

  it.each(assetClasses.map((one) => [one]))('names the class %s in lower kebab case', (assetClass) => {
    expect(assetUri(assetClass, 'x')).toMatch(/^asset:\/\/[a-z]+(-[a-z]+)*\/x$/);
  });
});

describe('uriOf', () => {
  const frontend = {
    type: 'WEBAPP',
    url: 'https://a.example.com',
    ips: [],
    regionCountryCodes: [],
    tls: true,
  } as const;

  it('is derived from the detail’s address, or else from the name', () => {
    const draft = { name: 'Shop', type: 'WEBAPP', class: 'FRONTEND' } as const;
    expect(uriOf({ ...draft, frontend: { ...frontend, ips: [], regionCountryCodes: [] } })).toBe(
      'asset://frontend/a.example.com',
    );
    expect(uriOf(draft)).toBe('asset://frontend/Shop');
  });
});

import { describe, expect, it } from '@jest/globals';
import { loadSettings } from '../../../src/config/settings.js';
import { clientCall, clientCommand, firstRunLines } from '../../../src/cli/first-run.js';

const apiKey = 'ssk_example';

function lines(env: Record<string, string>, port: number, key: string | undefined): string {
  const settings = loadSettings({ DATA_DIR: '.data', ...env });
  return firstRunLines({ settings, port, data: '.data', generatedPassword: undefined, apiKey: key, demo: undefined });
}

describe('firstRunLines', () => {
  it('prints a client call with the key, without the address if it is the default', () => {
    expect(lines({}, 3_000, apiKey)).toContain('Client   STORE_API_KEY=ssk_example npx store events list --limit 5\n');
  });

  it('names any other address in the call', () => {
    expect(lines({}, 3_001, apiKey)).toContain(
      'Client   STORE_API_URL=http://127.0.0.1:3001 STORE_API_KEY=ssk_example',
    );
    expect(lines({ HOST: '::1' }, 3_000, apiKey)).toContain('STORE_API_URL=http://[::1]:3000 STORE_API_KEY');
  });

  it('names the shop and the console first, unless they are left out', () => {
    const shop = / {2}Shop {5}http:\/\/127\.0\.0\.1:3000\/\n/;
    const console = / {2}Console {2}http:\/\/127\.0\.0\.1:3000\/console\/\n/;
    expect(lines({}, 3_000, apiKey)).toMatch(new RegExp(`stops it\\.\\n\\n${shop.source}${console.source}`));
    expect(lines({ CONSOLE: 'false' }, 3_000, apiKey)).not.toContain('/console/');
    expect(lines({ STOREFRONT: 'false' }, 3_000, apiKey)).not.toMatch(shop);
  });

  it('says how to make a key if none was generated now', () => {
    expect(lines({}, 3_000, undefined)).toMatch(
      /Client +npx store --help .*POST \/api\/v1\/organizations\/\{id\}\/api-keys/,
    );
  });
});

describe('clientCall', () => {
  it('is one line that can be pasted', () => {
    expect(clientCall(apiKey)).toBe('STORE_API_KEY=ssk_example npx store events list --limit 5');
  });
});

describe('clientCommand', () => {
  it('is the command of the image, where there is no checkout', () => {
    const image = '/usr/local/bin/store';
    expect(clientCommand((path) => path === image)).toBe('store');
    expect(clientCommand((path) => path === image || path === 'package-lock.json')).toBe('npx store');
    expect(clientCommand(() => false)).toBe('npx store');
  });
});

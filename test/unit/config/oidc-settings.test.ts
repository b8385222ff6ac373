import { describe, expect, it } from '@jest/globals';
import { EnvironmentReader } from '../../../src/config/environment-reader.js';
import { readOidcSettings } from '../../../src/config/oidc-settings.js';

function read(environment: Record<string, string>, production = false) {
  const reader = new EnvironmentReader(environment);
  return { settings: readOidcSettings(reader, production), problems: reader.problems };
}

const enough = { OIDC_ISSUER: 'https://login.example.com/', OIDC_CLIENT_ID: 'store' };

describe('readOidcSettings', () => {
  it('keeps the issuer as it is written, and names the provider by its host', () => {
    const { settings, problems } = read({ ...enough, OIDC_ADMIN_GROUPS: ' a, b,' });
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({
      issuer: 'https://login.example.com/',
      label: 'login.example.com',
      adminGroups: ['a', 'b'],
      only: false,
    });
  });

  it.each(['http://login.example.com', 'login.example.com', 'https://a:b@login.example.com', 'https://x.example/?a=b'])(
    'refuses the issuer %s',
    (OIDC_ISSUER) => {
      expect(read({ ...enough, OIDC_ISSUER }).problems.length).toBeGreaterThan(0);
    },
  );

  it('takes plain HTTP on this machine alone', () => {
    expect(read({ ...enough, OIDC_ISSUER: 'http://127.0.0.1:4000' }).problems).toEqual([]);
  });

  it('takes all settings or none, and PUBLIC_URL in production', () => {
    expect(read({}).settings).toBeUndefined();
    expect(read({ OIDC_CLIENT_ID: 'store' }).problems).toHaveLength(1);
    expect(read({ OIDC_ONLY: 'true' }).problems).toHaveLength(1);
    expect(read({ OIDC_ISSUER: enough.OIDC_ISSUER }).problems).toHaveLength(1);
    expect(read(enough, true).problems).toHaveLength(1);
    expect(read({ ...enough, PUBLIC_URL: 'https://shop.example.com' }, true).problems).toEqual([]);
    expect(read({ ...enough, OIDC_SCOPES: 'email' }).problems).toHaveLength(1);
  });
});

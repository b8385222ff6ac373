import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../src/platform/errors/invalid.js';
import { harmlessUse } from '../../../../src/scanning/integrations/harmless-names.js';
import {
  maskParameters,
  type Parameters,
  restoreMasked,
  secretPaths,
} from '../../../../src/scanning/integrations/parameter-masks.js';
import { integrationKinds } from '../../../../src/scanning/vocabulary.js';
import { secretNames } from '../../../support/secret-names.js';

const stored: Parameters = {
  url: 'https://code.example.com',
  apiKey: 'a-long-secret-1234',
  short: { password: 'hunter2' },
  accounts: [
    { name: 'first', token: 'token-of-the-first' },
    { name: 'second', token: 'token-of-the-other' },
  ],
  tokens: ['one-long-token-aaaa', 'one-long-token-bbbb'],
  pins: ['1234', '5678'],
  settings: { region: 'eu-central', headers: [{ name: 'X-Custom', value: 'anything goes here' }] },
  pin: 123456,
  port: 8443,
  webhook: 'https://example.com/hooks/1',
  baseUrl: 'https://user:pass@example.com/',
  endpoint: 'https://example.com/v1?page=2#top',
  server: 'Server=db.example.com;Password=abc',
  host: 'me:secret@db.example.com',
  verifyTls: true,
  regions: ['eu', null, 7],
};

const shown = {
  url: 'https://code.example.com',
  apiKey: '••••1234',
  short: { password: '••••' },
  accounts: [
    { name: 'first', token: '••••irst' },
    { name: 'second', token: '••••ther' },
  ],
  tokens: ['••••aaaa', '••••bbbb'],
  pins: ['••••', '••••'],
  settings: { region: 'eu-central', headers: [{ name: '••••', value: '••••here' }] },
  pin: '••••',
  port: 8443,
  webhook: '••••ks/1',
  baseUrl: '••••com/',
  endpoint: 'https://example.com/v1',
  server: '••••=abc',
  host: '••••.com',
  verifyTls: true,
  regions: ['eu', null, 7],
};

const leafNames = ['url', 'name', 'apiKey', 'pass', 'host', 'region', 'accounts', 'nested', '__proto__', 'constructor'];
const leaf = fc.oneof(
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.stringMatching(/^[a-z]{3,9}:\/\/[a-z]{1,5}:[a-z]{1,5}@[a-z]{1,9}\/$/),
);
const { tree } = fc.letrec<{ tree: Parameters; entry: unknown }>((tie) => ({
  entry: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('entry'), { maxLength: 4 }), tie('tree')),
  tree: fc.dictionary(fc.oneof(fc.constantFrom(...leafNames), fc.string()), tie('entry'), { maxKeys: 5 }),
}));
const anyParameters = tree
  .map((given) => JSON.parse(JSON.stringify(given)) as Parameters)
  .filter((given) => !JSON.stringify(given).includes('••••'));

/** Each scalar with the names that lead to it. */
function leaves(value: unknown, names: string[] = []): { names: string[]; value: unknown }[] {
  if (typeof value !== 'object' || value === null) return [{ names, value }];
  if (Array.isArray(value)) return value.flatMap((entry) => leaves(entry, names));
  return Object.entries(value).flatMap(([name, entry]) => leaves(entry, [...names, name]));
}

describe('maskParameters', () => {
  it('masks everything not known to be harmless, including nested values and secrets under harmless names', () => {
    expect(maskParameters('CUSTOM', stored)).toEqual(shown);
  });

  it('masks everything under an unknown name', () => {
    expect(maskParameters('CUSTOM', { credentials: { user: 'me', url: 'x', more: ['x', { name: 'y' }] } })).toEqual({
      credentials: { user: '••••', url: '••••', more: ['••••', { name: '••••' }] },
    });
  });

  it('recognizes names regardless of case and separators', () => {
    const parameters = { Tenant_ID: 'acme', 'api-url': 'https://a.example', SMTP_HOST: 'mail.example' };
    expect(maskParameters('AZURE', parameters)).toEqual({ ...parameters, SMTP_HOST: '••••mple' });
    expect(maskParameters('EMAIL', parameters)).toEqual({ ...parameters, Tenant_ID: '••••' });
  });

  it('keeps empty texts, nulls and booleans', () => {
    expect(maskParameters('CUSTOM', { token: '', key: null, secret: true })).toEqual({
      token: '',
      key: null,
      secret: true,
    });
  });

  it('keeps names that have a meaning in JavaScript', () => {
    const parameters = JSON.parse('{"__proto__": {"token": "a-long-secret-1234"}, "constructor": "x"}') as Parameters;
    expect(JSON.stringify(maskParameters('CUSTOM', parameters))).toBe(
      '{"__proto__":{"token":"••••1234"},"constructor":"••••"}',
    );
  });

  it.each(integrationKinds)('masks every usual name of a secret in %s', (kind) => {
    expect(secretNames.length).toBeGreaterThan(200);
    const value = 'plain-looking words';
    const parameters = Object.fromEntries(secretNames.map((name) => [name, value]));
    const inClear = Object.entries(maskParameters(kind, { ...parameters, settings: parameters })).filter(
      ([, entry]) => entry === value,
    );
    expect(inClear).toEqual([]);
    expect(JSON.stringify(maskParameters(kind, { settings: [parameters] }))).not.toContain(value);
  });

  it.each(integrationKinds)('shows no value under a name that is not allowed in %s', (kind) => {
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        const before = leaves(parameters);
        const after = leaves(maskParameters(kind, parameters));
        expect(after).toHaveLength(before.length);
        for (const [at, { names, value }] of before.entries()) {
          const seen = after[at]?.value;
          if (value === null || value === '' || typeof value === 'boolean') continue;
          if (!names.every((name) => harmlessUse(kind, name) !== null)) expect(seen).toMatch(/^••••.{0,4}$/su);
          else if (typeof value === 'string' && /^[a-z]+:\/\/[^/?#]*@/.test(value)) expect(seen).toMatch(/^••••/);
          else if (typeof seen === 'string' && /^https?:/.test(seen)) expect(seen).not.toMatch(/[?#]/);
        }
      }),
    );
  });
});

describe('maskParameters of texts under harmless names', () => {
  const secret = fc.stringMatching(/^[qz]{5,12}$/);
  const containers = ['settings', 'options', 'connection', 'accounts'];

  it.each([
    ...integrationKinds.flatMap((kind) => containers.map((name) => [kind, name] as const)),
    ['WEBHOOK', 'headers'] as const,
    ['EMAIL', 'smtp'] as const,
  ])('shows of %s nothing that is directly under %s', (kind, name) => {
    expect(harmlessUse(kind, name)).toBe('container');
    const texts = ['hunter2', 'X-Api-Key: hunter2', '{"password":"hunter2"}', '--password hunter2', 'sa/hunter2@db/XE'];
    for (const text of texts) {
      for (const value of [text, [text], [[text]], [{ [name]: text }], { [name]: [text] }]) {
        expect(JSON.stringify(maskParameters(kind, { [name]: value }))).not.toContain('hunter2');
      }
    }
    expect(maskParameters(kind, { [name]: [1234, [1234]] })).toEqual({ [name]: ['••••', ['••••']] });
    const objects = { [name]: [{ host: 'db.example.com', port: 5432 }] };
    expect(maskParameters(kind, objects)).toEqual(objects);
  });

  it.each(['server', 'servers'])('shows under %s only plain hosts', (name) => {
    const hosts = ['db', 'db.example.com:1521', '10.0.0.1', '[::1]:5432'];
    expect(maskParameters('CUSTOM', { [name]: hosts })).toEqual({ [name]: hosts });
    for (const text of [
      'sa:hunter2/x@db',
      'sa:hun/hunter2@db',
      'db hunter2',
      'db:hunter2',
      'db/hunter2',
      'db,hunter2',
    ]) {
      expect(JSON.stringify(maskParameters('CUSTOM', { [name]: [text] }))).toMatch(/"••••.{0,4}"/);
    }
  });

  it.each(['url', 'endpoint', 'host', 'user', 'email', 'name', 'region'])(
    'shows under %s neither query, fragment nor user information, with a scheme or without',
    (name) => {
      const before = fc.constantFrom('', 'https://', 'postgres://', '//');
      const sign = fc.constantFrom('?', '#', '?code=', '#x=', '/in?code=', '/?#');
      const breaks = fc.constantFrom('', '/', '?', '#', ':', '\\', ' ');
      fc.assert(
        fc.property(before, sign, breaks, secret, (scheme, cut, broken, value) => {
          const texts = [
            `${scheme}hooks.example.com${cut}${value}`,
            `${scheme}sa:12${broken}${value}@db.example.com/x`,
            `${scheme}sa/${broken}${value}@db.example.com/x`,
          ];
          for (const text of texts) {
            const parameters = { [name]: text };
            const shownThere = maskParameters('CUSTOM', parameters);
            expect(String(shownThere[name])).not.toContain(value);
            expect(restoreMasked(shownThere, parameters)).toEqual(parameters);
          }
        }),
      );
    },
  );

  it.each([
    ['a token of a well-known service', 'ghp_0123', '••••'],
    ['the name and value of a secret', 'eu-central;password=hunter2', '••••ter2'],
    ['several lines', 'eu-central\nhunter2', '••••ter2'],
    ['a URL that cannot be read', 'https://exa mple.com/hunter2', '••••ter2'],
    ['nothing but a query', '?code=hunter2', '••••ter2'],
  ])('masks %s', (_, region, mask) => {
    expect(maskParameters('CUSTOM', { region })).toEqual({ region: mask });
  });

  it('shows a plain e-mail address where one is expected', () => {
    expect(maskParameters('EMAIL', { recipients: ['a.b+c@example.com'], user: 'me@example.com' })).toEqual({
      recipients: ['a.b+c@example.com'],
      user: 'me@example.com',
    });
    expect(maskParameters('EMAIL', { host: 'me@example.com', region: 'me@example.com' })).toEqual({
      host: '••••.com',
      region: '••••.com',
    });
  });
});

describe('secretPaths', () => {
  it('returns the paths of masked values', () => {
    expect(secretPaths('CUSTOM', stored)).toEqual([
      'apiKey',
      'short.password',
      'accounts[0].token',
      'accounts[1].token',
      'tokens[0]',
      'tokens[1]',
      'pins[0]',
      'pins[1]',
      'settings.headers[0].name',
      'settings.headers[0].value',
      'pin',
      'webhook',
      'baseUrl',
      'endpoint',
      'server',
      'host',
    ]);
  });
});

describe('restoreMasked', () => {
  it.each(integrationKinds)('restores any masked parameters of %s', (kind) => {
    expect(restoreMasked(maskParameters(kind, stored), stored)).toEqual(stored);
    fc.assert(
      fc.property(anyParameters, (parameters) => {
        expect(restoreMasked(maskParameters(kind, parameters), parameters)).toEqual(parameters);
      }),
    );
  });

  it('accepts new values beside kept ones', () => {
    const given = { ...shown, apiKey: 'another-secret-5678', url: 'https://new.example.com' };
    expect(restoreMasked(given, stored)).toEqual({
      ...stored,
      apiKey: 'another-secret-5678',
      url: 'https://new.example.com',
    });
  });

  it('finds list entries by their names and masks, wherever they have moved', () => {
    const { accounts, tokens, pins } = restoreMasked(
      {
        accounts: [{ name: 'second', token: '••••ther' }],
        tokens: ['••••bbbb', 'one-more'],
        pins: ['••••', '••••', 'new'],
      },
      stored,
    );
    expect(accounts).toEqual([{ name: 'second', token: 'token-of-the-other' }]);
    expect(tokens).toEqual(['one-long-token-bbbb', 'one-more']);
    expect(pins).toEqual(['1234', '5678', 'new']);
  });

  it.each([
    [{ apiKey: '••••9999' }, ['body', 'parameters', 'apiKey']],
    [{ other: '••••1234' }, ['body', 'parameters', 'other']],
    [{ other: 'https://example.com/••••1234' }, ['body', 'parameters', 'other']],
    [{ accounts: [{ name: 'third', token: '••••irst' }] }, ['body', 'parameters', 'accounts', 0, 'token']],
    [{ tokens: ['••••cccc'] }, ['body', 'parameters', 'tokens', 0]],
    [{ others: ['••••aaaa'] }, ['body', 'parameters', 'others', 0]],
    // Nothing says which of the two stays.
    [{ pins: ['••••'] }, ['body', 'parameters', 'pins', 0]],
  ])('refuses %j, a mask of nothing that is stored there', (given, loc) => {
    const refused = (): unknown => restoreMasked(given, stored);
    expect(refused).toThrow(Invalid);
    try {
      refused();
    } catch (error) {
      expect((error as Invalid).problems[0]?.loc).toEqual(loc);
    }
  });
});

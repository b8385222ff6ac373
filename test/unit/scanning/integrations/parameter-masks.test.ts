import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Invalid } from '../../../../src/common/errors/invalid.js';
import {
  maskParameters,
  type Parameters,
  restoreMasked,
  secretPaths,
} from '../../../../src/scanning/integrations/parameter-masks.js';

const stored: Parameters = {
  url: 'https://code.example.com',
  apiKey: 'a-long-secret-1234',
  short: { password: 'hunter2' },
  accounts: [
    { name: 'first', token: 'token-of-the-first' },
    { name: 'second', token: 'token-of-the-other' },
  ],
  tokens: ['one-long-token-aaaa', 'one-long-token-bbbb'],
  headers: [{ name: 'Authorization', value: 'anything goes here' }],
  pin: 123456,
  webhook: 'https://user:pass@example.com/',
  verifyTls: true,
  tags: ['plain', null, 7],
};

describe('maskParameters', () => {
  it('masks each string whose name or look is a secret’s, nested ones too', () => {
    expect(maskParameters(stored)).toEqual({
      url: 'https://code.example.com',
      apiKey: '••••1234',
      short: { password: '••••' },
      accounts: [
        { name: 'first', token: '••••irst' },
        { name: 'second', token: '••••ther' },
      ],
      tokens: ['••••aaaa', '••••bbbb'],
      headers: [{ name: 'Authorization', value: '••••here' }],
      pin: '••••',
      webhook: '••••com/',
      verifyTls: true,
      tags: ['plain', null, 7],
    });
  });

  it('masks all that lies under a secret’s name', () => {
    expect(maskParameters({ credentials: { user: 'me', more: ['x', { deep: 'y' }] } })).toEqual({
      credentials: { user: '••••', more: ['••••', { deep: '••••' }] },
    });
  });

  it('leaves a secret that is empty or null', () => {
    expect(maskParameters({ token: '', key: null, secret: true })).toEqual({ token: '', key: null, secret: true });
  });

  it('keeps names that mean something to JavaScript', () => {
    const parameters = JSON.parse('{"__proto__": {"token": "a-long-secret-1234"}, "constructor": "x"}') as Parameters;
    expect(JSON.stringify(maskParameters(parameters))).toBe('{"__proto__":{"token":"••••1234"},"constructor":"x"}');
  });
});

describe('secretPaths', () => {
  it('names where the secrets are', () => {
    expect(secretPaths(stored)).toEqual([
      'apiKey',
      'short.password',
      'accounts[0].token',
      'accounts[1].token',
      'tokens[0]',
      'tokens[1]',
      'headers[0].value',
      'pin',
      'webhook',
    ]);
  });
});

describe('restoreMasked', () => {
  it('gives back what is stored where masks are sent back', () => {
    expect(restoreMasked(maskParameters(stored), stored)).toEqual(stored);
  });

  it('gives back any parameters that were masked', () => {
    const parameters = fc.dictionary(
      fc.constantFrom('url', 'apiKey', 'token', 'nested', '__proto__', 'list'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(parameters, (given) => {
        const plain = JSON.parse(JSON.stringify(given)) as Parameters;
        fc.pre(!JSON.stringify(plain).includes('••••'));
        expect(restoreMasked(maskParameters(plain), plain)).toEqual(plain);
      }),
    );
  });

  it('takes what is new beside what is kept', () => {
    const given = { ...maskParameters(stored), apiKey: 'another-secret-5678', url: 'https://new.example.com' };
    expect(restoreMasked(given, stored)).toEqual({
      ...stored,
      apiKey: 'another-secret-5678',
      url: 'https://new.example.com',
    });
  });

  it('finds entries of lists by their names and masks, wherever they stand now', () => {
    const { accounts, tokens } = restoreMasked(
      { accounts: [{ name: 'second', token: '••••ther' }], tokens: ['••••bbbb', 'one-more'] },
      stored,
    );
    expect(accounts).toEqual([{ name: 'second', token: 'token-of-the-other' }]);
    expect(tokens).toEqual(['one-long-token-bbbb', 'one-more']);
  });

  it.each([
    [{ apiKey: '••••9999' }, ['body', 'parameters', 'apiKey']],
    [{ other: '••••1234' }, ['body', 'parameters', 'other']],
    [{ accounts: [{ name: 'third', token: '••••irst' }] }, ['body', 'parameters', 'accounts', 0, 'token']],
    [{ tokens: ['••••cccc'] }, ['body', 'parameters', 'tokens', 0]],
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

import 'reflect-metadata';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { KnownTokens } from '../../../../src/platform/auth/known-tokens.js';

const token = { userId: '8f7a2c1e-0d3b-4c5a-9e6f-1a2b3c4d5e6f', tokenVersion: 3, expiresAt: 2_000 };

afterEach(() => {
  jest.restoreAllMocks();
});

describe('Tokens whose signature was verified', () => {
  it('are found by the whole header until they expire', () => {
    const now = jest.spyOn(Date, 'now').mockReturnValue(1_999_999);
    const tokens = new KnownTokens();
    tokens.keep('Bearer a.b.c', token);
    expect(tokens.find('Bearer a.b.c')).toEqual(token);
    for (const other of ['', 'Bearer', 'Bearer a.b.', 'Bearer a.b.d', 'bearer a.b.c']) {
      expect(tokens.find(other)).toBeUndefined();
    }
    now.mockReturnValue(2_000_000);
    expect(tokens.find('Bearer a.b.c')).toBeUndefined();
  });

  it('are limited to ten thousand', () => {
    const tokens = new KnownTokens();
    const later = { ...token, expiresAt: Infinity };
    for (let n = 0; n <= 10_000; n++) tokens.keep(`Bearer ${n}`, later);
    expect(tokens.find('Bearer 0')).toBeUndefined();
    expect(tokens.find('Bearer 1')).toEqual(later);
  });
});

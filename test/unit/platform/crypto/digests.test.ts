import { describe, expect, it } from '@jest/globals';
import { randomToken, sameText, sha256 } from '../../../../src/platform/crypto/digests.js';

describe('sha256', () => {
  it('returns the digest of FIPS 180-2, appendix B.1', () => {
    expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('randomToken', () => {
  it('makes 43 URL-safe characters, different each time', () => {
    const tokens = new Set(Array.from({ length: 100 }, randomToken));
    expect(tokens.size).toBe(100);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
  });
});

describe('sameText', () => {
  it('tells equal texts from different ones, of any length', () => {
    expect(sameText('123456', '123456')).toBe(true);
    expect(sameText('123456', '123457')).toBe(false);
    expect(sameText('123456', '12345')).toBe(false);
  });
});

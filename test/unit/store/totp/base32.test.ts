import { describe, expect, it } from '@jest/globals';
import { toBase32 } from '../../../../src/store/totp/base32.js';

describe('toBase32', () => {
  it.each([
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ])('writes "%s" as in RFC 4648, section 10, without padding', (text, base32) => {
    expect(toBase32(Buffer.from(text))).toBe(base32);
  });

  it('encodes all bits set', () => {
    expect(toBase32(Buffer.alloc(20, 0xff))).toBe('7'.repeat(32));
  });
});

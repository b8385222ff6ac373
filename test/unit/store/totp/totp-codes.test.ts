import { describe, expect, it } from '@jest/globals';
import { assert, integer, property } from 'fast-check';
import { codeAt, newSecret, otpauthUri, stepOf } from '../../../../src/store/totp/totp-codes.js';
import { codeOf } from '../../../support/one-time-codes.js';

/** The secret of RFC 6238, appendix B: "12345678901234567890" in base32. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codeAt', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('returns the last six digits of RFC 6238, appendix B, at %i s', (seconds, code) => {
    expect(codeAt(rfcSecret, Math.floor(seconds / 30))).toBe(code);
  });

  it('agrees with an independent implementation', () => {
    const secret = newSecret();
    expect(codeAt(secret, Math.floor(Date.now() / 30_000))).toBe(codeOf(secret));
  });
});

describe('stepOf', () => {
  const timeMs = 1_111_111_111_000;
  const current = Math.floor(timeMs / 30_000);

  it('finds the time step of the current and neighbouring codes only', () => {
    for (const offset of [-1, 0, 1]) {
      expect(stepOf(rfcSecret, codeAt(rfcSecret, current + offset), timeMs)).toBe(current + offset);
    }
    for (const offset of [-3, -2, 2, 3]) {
      expect(stepOf(rfcSecret, codeAt(rfcSecret, current + offset), timeMs)).toBeNull();
    }
  });

  it('finds no step for other codes, of six digits or not', () => {
    const around = new Set([-1, 0, 1].map((offset) => codeAt(rfcSecret, current + offset)));
    assert(
      property(integer({ min: -10, max: 10_000_000 }), (number) => {
        const code = String(number);
        expect(stepOf(rfcSecret, code, timeMs) !== null).toBe(around.has(code));
      }),
    );
  });

  it('ignores blanks', () => {
    expect(stepOf(rfcSecret, ' 050 471 ', timeMs)).toBe(current);
  });
});

describe('newSecret', () => {
  it('makes 160 random bits in base32', () => {
    const secrets = new Set(Array.from({ length: 50 }, newSecret));
    expect(secrets.size).toBe(50);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  });
});

describe('otpauthUri', () => {
  it('names issuer, account and every parameter', () => {
    const uri = new URL(otpauthUri(rfcSecret, 'maria.o-b_7'));
    expect(uri.protocol + uri.host).toBe('otpauth:totp');
    expect(decodeURIComponent(uri.pathname)).toBe('/Store Service:maria.o-b_7');
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: rfcSecret,
      issuer: 'Store Service',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});

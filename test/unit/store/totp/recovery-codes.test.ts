import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, recoveryCodeHash } from '../../../../src/store/totp/recovery-codes.js';

describe('newRecoveryCodes', () => {
  it('makes ten different ones in groups of four', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  });
});

describe('recoveryCodeHash', () => {
  it('ignores dashes, blanks and case', () => {
    const [code = ''] = newRecoveryCodes();
    const hash = recoveryCodeHash(code);
    expect(recoveryCodeHash(code.replaceAll('-', ''))).toBe(hash);
    expect(recoveryCodeHash(` ${code.replaceAll('-', ' ').toUpperCase()}`)).toBe(hash);
  });

  it('differs for another code', () => {
    const hashes = new Set(newRecoveryCodes().map(recoveryCodeHash));
    expect(hashes.size).toBe(10);
  });
});

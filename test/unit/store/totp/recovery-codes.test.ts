import { describe, expect, it } from '@jest/globals';
import { newRecoveryCodes, plainRecoveryCode } from '../../../../src/store/totp/recovery-codes.js';

describe('newRecoveryCodes', () => {
  it('makes ten different ones in groups of four', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  });
});

describe('plainRecoveryCode', () => {
  it('ignores dashes, blanks and case', () => {
    const [code = ''] = newRecoveryCodes();
    const plain = code.replaceAll('-', '');
    expect(plainRecoveryCode(code)).toBe(plain);
    expect(plainRecoveryCode(` ${code.replaceAll('-', ' ').toUpperCase()}`)).toBe(plain);
  });

  it('knows what cannot be one, which costs no hash', () => {
    for (const text of ['', '123456', 'k3vq-2xwm-7hta', 'k3vq-2xwm-7hta-ce5n-a', 'k3vq-2xwm-7hta-ce51']) {
      expect(plainRecoveryCode(text)).toBeNull();
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { isMask, masked } from '../../../../src/platform/crypto/secret-mask.js';

describe('masked', () => {
  it.each([
    ['', '••••'],
    ['12345678901', '••••'],
    ['123456789012', '••••9012'],
    ['a-much-longer-secret', '••••cret'],
  ])('shows of %j only %j', (secret, shown) => {
    expect(masked(secret)).toBe(shown);
  });
});

describe('isMask', () => {
  it('finds a mask anywhere in a text', () => {
    expect(isMask(masked('a-much-longer-secret'))).toBe(true);
    expect(isMask(`https://${masked('')}@host`)).toBe(true);
    expect(isMask('•••')).toBe(false);
    expect(isMask('secret')).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { validLocale } from '../../src/texts/valid-locale.js';

describe('validLocale', () => {
  it('returns the first valid language, or a plain one if none is valid', () => {
    expect(validLocale(['de-CH', 'en'])).toBe('de-CH');
    expect(validLocale(['en-US@posix', 'fr'])).toBe('fr');
    expect(validLocale(['en-US@posix', ''])).toBe('en-US');
    expect(validLocale([])).toBe('en-US');
  });
});

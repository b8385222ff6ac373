import { describe, expect, it } from '@jest/globals';
import { validLocale } from '../../../../console/src/parts/valid-locale.js';

describe('validLocale', () => {
  it('is the first language that is one, and a plain one where none is', () => {
    expect(validLocale(['de-CH', 'en'])).toBe('de-CH');
    expect(validLocale(['en-US@posix', 'fr'])).toBe('fr');
    expect(validLocale(['en-US@posix', ''])).toBe('en-US');
    expect(validLocale([])).toBe('en-US');
  });
});

import { describe, expect, it } from '@jest/globals';
import { pickLanguage } from '../src/lib/texts/languages.js';

describe('pickLanguage', () => {
  it.each([
    [undefined, null, 'en'],
    [undefined, 'de', 'de'],
    [undefined, 'de-AT, en;q=0.9', 'de'],
    [undefined, 'fr, de;q=0.5, en;q=0.8', 'en'],
    [undefined, 'fr-CA, it', 'en'],
    [undefined, 'de;q=0', 'en'],
    [undefined, `${'x,'.repeat(10_000)}de`, 'en'],
    ['de', 'en', 'de'],
    ['xx', 'de', 'de'],
    ['__proto__', null, 'en'],
  ])('chosen %s and accepted %s make %s', (chosen, accepted, language) => {
    expect(pickLanguage(chosen, accepted)).toBe(language);
  });
});

import { describe, expect, it } from '@jest/globals';
import { namesOf, pickLanguage } from '../../src/texts/languages.js';

describe('pickLanguage', () => {
  it.each([
    ['de', ['en-US'], 'de'],
    ['en', ['de-DE'], 'en'],
    [null, ['de-AT', 'en'], 'de'],
    [null, ['fr-FR', 'DE_CH', 'en'], 'de'],
    [null, ['fr', 'en-GB', 'de'], 'en'],
    [null, ['fr', 'pl'], 'en'],
    [null, [], 'en'],
    ['fr', ['de'], 'de'],
    ['', ['deu'], 'en'],
  ])('with %j chosen and %j preferred picks %s', (chosen, preferred, language) => {
    expect(pickLanguage(chosen, preferred)).toBe(language);
  });
});

describe('namesOf', () => {
  it('keeps the names of one language, in their order', () => {
    expect(namesOf('de', ['en-US', 'de-CH', 'de', 'nds', 'DE_at'])).toEqual(['de-CH', 'de', 'DE_at']);
  });
});

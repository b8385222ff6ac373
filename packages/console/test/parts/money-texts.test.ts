import { describe, expect, it } from '@jest/globals';
import { MoneyTexts } from '../../src/parts/money-texts.js';

const plain = (text: string) => text.replaceAll(/\s/g, ' ');

describe('MoneyTexts', () => {
  it.each([
    ['USD', 'en-US', '$1,234.50', '$1,235'],
    ['EUR', 'de-DE', '1.234,50 €', '1.235 €'],
    ['JPY', 'en-US', '¥1,235', '¥1,235'],
  ])('writes amounts in %s for %s as %s, and without decimals as %s', (currency, locale, exact, whole) => {
    const texts = new MoneyTexts({ currency, locale });
    expect([texts.exact(1234.5), texts.whole(1234.5)].map(plain)).toEqual([exact, whole]);
  });

  it('names no currency before the shop is known', () => {
    expect(new MoneyTexts(null).exact(5)).toMatch(/^5[.,]00$/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { formatOf } from '../../../../src/store/shop/shop-format.js';

describe('The format of a shop', () => {
  it.each([
    ['USD', 'en-US', '$1,234.50'],
    ['USD', 'en-CA', 'US$1,234.50'],
    ['EUR', 'de-AT', '€ 1.234,50'],
    ['EUR', 'fr-FR', '1 234,50 €'],
    ['JPY', 'ja-JP', '¥1,235'],
    ['KWD', 'en-KW', 'KWD 1,234.500'],
  ])('writes 1234.5 in %s for %s as %s', (currency, locale, text) => {
    const written = formatOf({ currency, locale }).money(1234.5);
    expect(written.replaceAll(/\s/g, ' ').replace('￥', '¥')).toBe(text);
  });

  it('writes less than nothing with its sign, and days as the locale does, in UTC', () => {
    expect(formatOf({ currency: 'USD', locale: 'en-US' }).money(-9.98)).toBe('-$9.98');
    expect(formatOf({ currency: 'EUR', locale: 'de-DE' }).day('2026-11-30T23:59:00.000Z')).toBe('30.11.2026');
  });
});

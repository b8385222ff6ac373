import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NumberTexts } from '../../src/parts/number-texts.js';
import { loadTexts } from '../../src/texts/texts.js';

beforeAll(() => loadTexts('en', ''));

const [english, german, french] = ['en-US', 'de-DE', 'fr-FR'].map((locale) => new NumberTexts(locale)) as [
  NumberTexts,
  NumberTexts,
  NumberTexts,
];

describe('NumberTexts', () => {
  it.each([
    ['19.99', 19.99],
    ['19,99', 19.99],
    ['.5', 0.5],
    ['19.', 19],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1,234,567', 1_234_567],
    ['1.234.567,8', 1_234_567.8],
    [' $ 1 234.50 ', 1234.5],
    ['-5', -5],
    ['\u22125', -5],
    ["12'000", 12_000],
    ['0012', 12],
  ])('reads %j as people mean it, whatever the language', (text, value) => {
    expect([english, german, french].map((texts) => texts.read(text))).toEqual([value, value, value]);
  });

  it.each([
    '',
    'abc',
    '1e3',
    '0x10',
    '1.2.3',
    '1,2,3',
    '12,34.5',
    '1234,567.0',
    '1.234,567,8',
    '--5',
    '5-',
    '١٢',
    'NaN',
  ])('reads no number in %j', (text) => {
    expect([english, german].map((texts) => texts.read(text))).toEqual([Number.NaN, Number.NaN]);
  });

  it('reads one mark before three digits as the language writes thousands, and otherwise as a point', () => {
    expect([english.read('1,234'), german.read('1.234')]).toEqual([1234, 1234]);
    expect([english.read('1.234'), german.read('1,234')]).toEqual([1.234, 1.234]);
    expect(english.fault('1.234', { decimals: 2 })).toBe('Write at most 2 digits after the point, such as 19.99.');
    expect(german.fault('1,234', { decimals: 2 })).toBe('Write at most 2 digits after the point, such as 19,99.');
  });

  it('says what is wrong with a number', () => {
    expect(english.fault('-0.01', { decimals: 2, min: 0 })).toBe('It must be at least 0.');
    expect(english.fault('10000000', { decimals: 2, max: 9_999_999.99 })).toBe('It can be at most 9999999.99.');
    expect(english.fault('1.5', { min: 0 })).toBe('Write a whole number.');
    expect(english.fault('twenty', {})).toBe('Write a number, such as 20.');
    expect([english.fault('', { min: 1 }), english.fault('7', { min: 7, max: 7 })]).toEqual(['', '']);
  });

  it('reads what it writes, and what the language does', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'pt-BR'),
        (cents, locale) => {
          const texts = new NumberTexts(locale);
          const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' }).format(cents / 100);
          expect(texts.read(texts.write(cents / 100, 2))).toBe(cents / 100);
          expect(texts.read(money.replace('US', ''))).toBe(cents / 100);
        },
      ),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { projectFiles, projectText } from '../support/project-files.js';

/** A currency that the code decides instead of the shop: its sign before or after digits, its code, or its name. */
const decided =
  /[€£¥]\s?\d|\d\s?[€£¥]|\$\d+[.,]\d{2}\b|(?<!split\()['"][$€£¥]['"]|\b(USD|EUR|GBP|JPY)\b|\bUS\$|\b(dollar|euro)s?\b/i;

/** Where a currency is an example or a default, with the words that say so. */
const allowed: [file: string, words: RegExp][] = [
  ['src/config/shop-settings.ts', /SHOP_CURRENCY/],
  ['src/store/shop/shop.dto.ts', /example: 'USD'|such as EUR/],
  ['src/store/shop/shop.service.ts', /such as EUR/],
  ['src/store/orders/quotes.dto.ts', /example: 'USD'/],
  ['src/store/payments/payments.dto.ts', /example: 'USD'/],
  // The currencies that have no hundredths at Stripe.
  ['src/store/payments/stripe-amount.ts', /'BIF CLP /],
];

const places = ['src', 'packages/console/src', 'packages/client/src', 'packages/sdk/src', 'packages/demo/src'];
const isGenerated = (file: string) => file.startsWith('packages/sdk/src/generated/');
const sources = places
  .flatMap((place) => projectFiles(place, /\.(ts|svelte|html|css)$/))
  .filter((file) => !isGenerated(file));

function decisions(file: string, text: string): string[] {
  const [, words] = allowed.find(([name]) => name === file) ?? [];
  return text
    .split('\n')
    .filter((line) => decided.test(line) && !words?.test(line))
    .map((line) => `${file}: ${line.trim()}`);
}

describe('The currency of amounts', () => {
  it('is decided by the shop alone, and by no source', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.flatMap((file) => decisions(file, projectText(file)))).toEqual([]);
  });

  it.each([
    `new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })`,
    `const total = '$' + amount.toFixed(2);`,
    '<td>$12.50</td>',
    '<td>12 €</td>',
    'The cost in dollars',
  ])('would be found in %s', (line) => {
    expect(decisions('src/any.ts', line)).toHaveLength(1);
  });

  it('is an example or a default where it is allowed', () => {
    expect(
      allowed.filter(
        ([file, words]) =>
          !projectText(file)
            .split('\n')
            .some((line) => words.test(line)),
      ),
    ).toEqual([]);
  });
});

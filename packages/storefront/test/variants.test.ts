import { describe, expect, it } from '@jest/globals';
import { type Variant, variantChoices } from '../src/lib/variants.js';

const variant = (id: number, color: string, size: string, stock = 5): Variant => ({
  id,
  slug: `shirt-${id}`,
  color,
  size,
  material: 'Linen',
  stock,
});

const choicesOf = (shown: Variant, variants: Variant[], field: string) =>
  variantChoices(shown, variants)
    .find((one) => one.field === field)
    ?.choices.map(({ value, href, isShown, isSoldOut }) => [value, href, isShown, isSoldOut]);

describe('variantChoices', () => {
  const [blueS, blueM, redS, redM] = [
    variant(1, 'Blue', 'S'),
    variant(2, 'Blue', 'M'),
    variant(3, 'Red', 'S'),
    variant(4, 'Red', 'M', 0),
  ] as const;
  const all = [blueS, blueM, redS, redM];

  it('offers what the variants differ by, and nothing that all of them share', () => {
    expect(variantChoices(blueS, all).map(({ field }) => field)).toEqual(['color', 'size']);
    expect(variantChoices(blueS, [blueS])).toEqual([]);
    expect(variantChoices(blueS, [])).toEqual([]);
  });

  it('leads to the variant of a color that has the same size', () => {
    expect(choicesOf(blueS, all, 'color')).toEqual([
      ['Blue', '/p/shirt-1', true, false],
      ['Red', '/p/shirt-3', false, false],
    ]);
    expect(choicesOf(redS, all, 'size')).toEqual([
      ['S', '/p/shirt-3', true, false],
      ['M', '/p/shirt-4', false, true],
    ]);
  });

  it('leads to one that is there, of two that differ as much', () => {
    const green = [variant(5, 'Green', 'L', 0), variant(6, 'Green', 'XL', 2)];
    expect(choicesOf(blueS, [...all, ...green], 'color')?.at(-1)).toEqual(['Green', '/p/shirt-6', false, false]);
  });

  it('leads by the id where a variant has no slug', () => {
    expect(choicesOf(blueS, [blueS, { ...redS, slug: null }], 'color')?.at(-1)?.[1]).toBe('/p/3');
  });
});

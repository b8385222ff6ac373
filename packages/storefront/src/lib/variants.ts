import type { ProductVariant } from '@store-service/sdk';

export const variantFields = ['color', 'size', 'material'] as const;
export type VariantField = (typeof variantFields)[number];

/** A value that a variant can have, and the variant that leads to. */
export interface VariantChoice {
  value: string;
  href: string;
  image_url: string | null;
  isShown: boolean;
  isSoldOut: boolean;
}

export interface VariantChoices {
  field: VariantField;
  choices: VariantChoice[];
}

/**
 * The colors, sizes and materials that the variants of a product differ by. A choice leads to the variant that has its value and
 * else differs least from the one that is shown, rather one that is there than one that is sold out.
 */
export function variantChoices(shown: ProductVariant, variants: readonly ProductVariant[]): VariantChoices[] {
  return variantFields
    .map((field) => ({ field, values: [...new Set(variants.map((one) => one[field]).filter((value) => value !== null))] }))
    .filter(({ values }) => values.length > 1)
    .map(({ field, values }) => ({ field, choices: values.map((value) => choiceOf(shown, variants, field, value)) }));
}

function choiceOf(
  shown: ProductVariant,
  variants: readonly ProductVariant[],
  field: VariantField,
  value: string,
): VariantChoice {
  const having = variants.filter((one) => one[field] === value);
  const alike = (one: ProductVariant) =>
    variantFields.filter((other) => other !== field && one[other] === shown[other]).length * 2 + (one.stock > 0 ? 1 : 0);
  const [best = shown] = having.toSorted((one, other) => alike(other) - alike(one));
  const isShown = shown[field] === value;
  const target = isShown ? shown : best;
  return {
    value,
    href: `/p/${target.slug ?? target.id}`,
    image_url: target.image_url,
    isShown,
    isSoldOut: target.stock === 0,
  };
}

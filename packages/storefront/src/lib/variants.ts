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

/** What tells a variant from the others. */
export type Variant = { [Field in VariantField]?: string | null } & Pick<ProductVariant, 'id' | 'slug' | 'stock'> & {
    image_url?: string | null;
  };

export interface VariantChoices {
  field: VariantField;
  choices: VariantChoice[];
}

/**
 * The colors, sizes and materials that the variants of a product differ by. A choice leads to the variant that has its value and
 * else differs least from the one that is shown, rather one that is there than one that is sold out.
 */
export function variantChoices(shown: Variant, variants: readonly Variant[]): VariantChoices[] {
  return variantFields
    .map((field) => ({
      field,
      values: [...new Set(variants.map((one) => one[field]).filter((value) => typeof value === 'string'))],
    }))
    .filter(({ values }) => values.length > 1)
    .map(({ field, values }) => ({ field, choices: values.map((value) => choiceOf(shown, variants, field, value)) }));
}

function choiceOf(shown: Variant, variants: readonly Variant[], field: VariantField, value: string): VariantChoice {
  const having = variants.filter((one) => one[field] === value);
  const alike = (one: Variant) =>
    variantFields.filter((other) => other !== field && one[other] === shown[other]).length * 2 +
    (one.stock > 0 ? 1 : 0);
  const [best = shown] = having.toSorted((one, other) => alike(other) - alike(one));
  const isShown = shown[field] === value;
  const target = isShown ? shown : best;
  return {
    value,
    href: `/p/${target.slug ?? target.id}`,
    image_url: target.image_url ?? null,
    isShown,
    isSoldOut: target.stock === 0,
  };
}

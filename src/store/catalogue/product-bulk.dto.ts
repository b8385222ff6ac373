import { demo } from '../../platform/openapi/demo-values.js';
import { EnumField, IntegerField, ListField, NumberField, ObjectField } from '../../platform/validation/fields.js';
import { productStatuses, type ProductStatus } from './product.entity.js';
import { slugText } from './slug-text.js';

const mostProducts = 500;
const mostCategories = 10;
const maxId = 2_147_483_647;
const maxPrice = 9_999_999.99;

/** By how much prices change: one of the two. */
export class PriceChange {
  @NumberField({
    optional: true,
    min: -100,
    max: 1_000,
    decimals: 2,
    description: 'Of the price, rounded to cents',
    example: -10,
  })
  percent?: number;
  @NumberField({ optional: true, min: -maxPrice, max: maxPrice, decimals: 2, description: 'Added to the price' })
  amount?: number;
}

const categories = { optional: true, maxItems: mostCategories } as const;
const slug = { kind: 'string', ...slugText } as const;

// Unspecified: changes of many products at once.
export class ProductBulkChange {
  @ListField(
    { kind: 'integer', min: 1, max: maxId },
    { minItems: 1, maxItems: mostProducts, example: [demo('product')] },
  )
  ids: number[];
  @ObjectField(() => PriceChange, { optional: true })
  price?: PriceChange;
  @EnumField(productStatuses, { optional: true, description: 'Products that become drafts leave all carts' })
  status?: ProductStatus;
  @ListField(slug, { ...categories, description: 'The slugs of categories that the products enter', example: [] })
  add_categories?: string[];
  @ListField(slug, { ...categories, description: 'The slugs of categories that the products leave', example: [] })
  remove_categories?: string[];
}

/** The outcome of a change of many products. */
export class ProductBulkResult {
  @IntegerField({ example: 1 })
  changed: number;
  @IntegerField({ description: 'Those that were so already', example: 0 })
  unchanged: number;
  @ListField({ kind: 'integer' }, { description: 'The ids that no product has', example: [] })
  missing: number[];
}

import {
  ArrayField,
  BooleanField,
  EnumField,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
} from '../../platform/validation/fields.js';
import { Paging } from '../../platform/http/paging.js';
import { saidText } from '../../platform/validation/texts.js';
import { slugText } from './slug-text.js';

const maxPrice = 9_999_999.99;
const maxAttribute = 100;
const maxSearch = 200;

// Unspecified: filters and orders of the public lists.
export const listSorts = ['relevance', 'newest', 'price', '-price', 'rating', 'name'] as const;
export type ListSort = (typeof listSorts)[number];

const category = {
  optional: true,
  ...slugText,
  description: 'The slug of a category: those below it count too',
} as const;
const value = { optional: true, maxLength: maxAttribute, minLength: 1 } as const;
const color = { ...value, description: 'Case is ignored', example: 'blue' } as const;
const size = { ...value, description: 'Case is ignored', example: 'M' } as const;
const material = { ...value, description: 'Case is ignored', example: 'linen' } as const;
const price = { optional: true, min: 0, max: maxPrice } as const;
const inStock = { default: false, description: 'Whether to leave out what is sold out' } as const;
const onGroup = {
  default: false,
  description: 'Whether to return one product of each group, the first in the order of the list',
} as const;

/** What a public list may be narrowed by. */
export interface ProductFilter {
  category?: string;
  color?: string;
  size?: string;
  material?: string;
  min_price?: number;
  max_price?: number;
  in_stock: boolean;
  on_group: boolean;
}

export class ProductList extends Paging implements ProductFilter {
  @StringField(category)
  category?: string;
  @StringField(color)
  color?: string;
  @StringField(size)
  size?: string;
  @StringField(material)
  material?: string;
  @NumberField(price)
  min_price?: number;
  @NumberField(price)
  max_price?: number;
  @BooleanField(inStock)
  in_stock: boolean;
  @BooleanField(onGroup)
  on_group: boolean;
  @EnumField(listSorts, {
    default: 'relevance',
    description: '`relevance` is the best match first in a search, and the order of ids elsewhere',
  })
  sort: ListSort;
}

export class ProductSearch extends ProductList {
  // Unspecified: a longest search text; no product has a name that long.
  @StringField({
    ...saidText,
    maxLength: maxSearch,
    description:
      'Words that name or description must contain, in any order, ignoring case and accents. A word may be part of ' +
      'a longer one',
    example: 'linen shirt',
  })
  q: string;
  // Unspecified: likeness. A client of the document alone gets what has the words, and nothing else.
  @BooleanField({
    default: false,
    description:
      'Whether to search for similar words (`shirts`, `linnen`) if no product has all the words; the response then ' +
      'has the header X-Similar',
  })
  similar: boolean;
}

export class FacetsQuery implements ProductFilter {
  @StringField({ optional: true, trimmed: true, maxLength: maxSearch, description: 'Like that of the search' })
  q?: string;
  @StringField(category)
  category?: string;
  @StringField(color)
  color?: string;
  @StringField(size)
  size?: string;
  @StringField(material)
  material?: string;
  @NumberField(price)
  min_price?: number;
  @NumberField(price)
  max_price?: number;
  @BooleanField(inStock)
  in_stock: boolean;
  @BooleanField({ ...onGroup, description: 'Whether to count groups, as the list with `on_group` does' })
  on_group: boolean;
}

/** A category and the number of products in it. */
export class CategoryFacet {
  @StringField({ example: 'shirts' })
  slug: string;
  @StringField({ example: 'Shirts' })
  name: string;
  @IntegerField({ example: 12 })
  count: number;
}

/** A value and the number of products that have it. */
export class ValueFacet {
  @StringField({ example: 'blue' })
  value: string;
  @IntegerField({ example: 7 })
  count: number;
}

export class PriceRange {
  @NumberField({ nullable: true, description: 'null if nothing is left', example: 9.9 })
  min: number | null;
  @NumberField({ nullable: true, example: 49.9 })
  max: number | null;
}

/** What filters leave, counted by what it could be narrowed to. */
export class ProductFacets {
  @IntegerField({ example: 31 })
  total: number;
  @ArrayField(() => CategoryFacet, { description: 'Those that have most, at most 100' })
  categories: CategoryFacet[];
  @ArrayField(() => ValueFacet, { description: 'Those that have most, at most 100' })
  colors: ValueFacet[];
  @ArrayField(() => ValueFacet, { description: 'Those that have most, at most 100' })
  sizes: ValueFacet[];
  @ArrayField(() => ValueFacet, { description: 'Those that have most, at most 100' })
  materials: ValueFacet[];
  @ObjectField(() => PriceRange)
  price: PriceRange;
  @IntegerField({ description: 'The number of those that are not sold out', example: 28 })
  in_stock: number;
}

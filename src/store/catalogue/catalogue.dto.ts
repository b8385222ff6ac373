import { demo } from '../../platform/openapi/demo-values.js';
import { AdminPaging, Paging } from '../../platform/http/paging.js';
import {
  BooleanField,
  DateTimeField,
  EnumField,
  IdField,
  IntegerField,
  NumberField,
  StringField,
} from '../../platform/validation/fields.js';
import { fieldSpecsOf } from '../../platform/validation/dto.js';
import { pictureUrl } from '../../platform/validation/picture-url.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';

const maxPrice = 9_999_999.99;
const maxStock = 2_147_483_647;
// Unspecified: the lengths of all texts but the name; generous, but bounded so that pages stay small.
const maxDescription = 10_000;
const maxAttribute = 100;

/** A product as the shop shows it. */
export class Product {
  @IntegerField()
  id: number;
  @StringField({ example: 'Linen Shirt' })
  name: string;
  @StringField({ optional: true, nullable: true, example: 'Breathable linen with a relaxed cut.' })
  description: string | null;
  @NumberField({ example: 49.9 })
  price: number;
  @IntegerField({ example: 25 })
  stock: number;
  @StringField({ optional: true, nullable: true, example: 'blue' })
  color: string | null;
  @StringField({ optional: true, nullable: true, example: 'linen' })
  material: string | null;
  @StringField({ optional: true, nullable: true, example: 'M' })
  size: string | null;
  @StringField({ optional: true, nullable: true, example: '/uploads/product/linen-shirt.webp' })
  image_url: string | null;
  @DateTimeField()
  created_at: Date;
}

export class ProductCreate {
  @StringField({ ...saidText, maxLength: 200, example: 'Linen Shirt' })
  name: string;
  @StringField({ ...optionalText, maxLength: maxDescription })
  description?: string | null;
  @NumberField({ min: 0, max: maxPrice, decimals: 2, example: 49.9 })
  price: number;
  @IntegerField({ min: 0, max: maxStock, example: 25 })
  stock: number;
  @StringField({ ...optionalText, maxLength: maxAttribute, example: 'blue' })
  color?: string | null;
  @StringField({ ...optionalText, maxLength: maxAttribute })
  material?: string | null;
  @StringField({ ...optionalText, maxLength: maxAttribute })
  size?: string | null;
  @StringField({ ...optionalText, ...pictureUrl })
  image_url?: string | null;
}

/** Omitted fields stay as they are; null empties a field that can be empty, and leaves the others as they are. */
export class ProductUpdate {
  @StringField({ optional: true, nullable: 'ignored', ...saidText, maxLength: 200 })
  name?: string;
  @StringField({ ...optionalText, maxLength: maxDescription })
  description?: string | null;
  @NumberField({ optional: true, nullable: 'ignored', min: 0, max: maxPrice, decimals: 2, example: 44.9 })
  price?: number;
  @IntegerField({ optional: true, nullable: 'ignored', min: 0, max: maxStock, example: 30 })
  stock?: number;
  @StringField({ ...optionalText, maxLength: maxAttribute })
  color?: string | null;
  @StringField({ ...optionalText, maxLength: maxAttribute })
  material?: string | null;
  @StringField({ ...optionalText, maxLength: maxAttribute })
  size?: string | null;
  @StringField({ ...optionalText, ...pictureUrl })
  image_url?: string | null;
}

export class ProductPath {
  @IdField({ example: demo('product') })
  product_id: number;
}

/** The administration's list of products. */
export const adminProductSorts = ['id', '-id', 'name', '-name', 'price', '-price', 'stock', '-stock'] as const;
export type AdminProductSort = (typeof adminProductSorts)[number];

export class AdminProductFilter extends AdminPaging {
  // Unspecified: the filters. A search finds the same as the shop's, best first.
  @StringField({
    optional: true,
    trimmed: true,
    minLength: 1,
    maxLength: 200,
    description: 'Like the search of the shop',
  })
  search?: string;
  @BooleanField({ default: false, description: 'Like that of the search of the shop; not with low_stock' })
  similar: boolean;
  @BooleanField({
    default: false,
    description: 'Whether to list only products with a stock of ten or less, the lowest first',
  })
  low_stock: boolean;
  @EnumField(adminProductSorts, {
    default: 'id',
    description: 'The order of all products, "-" for descending; search and low_stock have their own order',
  })
  sort: AdminProductSort;
}

export class ProductSearch extends Paging {
  // Unspecified: a longest search text; no product has a name that long.
  @StringField({
    ...saidText,
    maxLength: 200,
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

/** The fields by which products are sorted: all of them. */
const productFields = [...fieldSpecsOf(Product).keys()];
const productSorts = productFields.flatMap((field) => [field, `-${field}`]);

export class ProductColorFilter {
  @StringField({ maxLength: maxAttribute, description: 'Case is ignored', example: 'blue' })
  color: string;
  @EnumField(productSorts, { default: 'name', description: 'A field of the product; with a leading "-" descending' })
  sort: string;
  // Unspecified: paging; without it, the response for one color of a large catalog would have no bound.
  @IntegerField({ min: 0, default: 0, description: 'The number of entries to skip' })
  skip: number;
  @IntegerField({ min: 1, max: 1000, default: 1000, description: 'The maximum number of entries' })
  limit: number;
}

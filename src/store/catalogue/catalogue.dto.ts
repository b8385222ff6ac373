import { demo } from '../../platform/openapi/demo-values.js';
import { AdminPaging } from '../../platform/http/paging.js';
import {
  ArrayField,
  BooleanField,
  DateTimeField,
  EnumField,
  IdField,
  IntegerField,
  ListField,
  NumberField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { pictureUrl } from '../../platform/validation/picture-url.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';
import { productStatuses, type ProductStatus } from './product.entity.js';
import { productSortFields } from './product-sort-fields.js';

const maxPrice = 9_999_999.99;
const maxStock = 2_147_483_647;
// Unspecified: the lengths of all texts but the name; generous, but bounded so that pages stay small.
const maxDescription = 10_000;
const maxAttribute = 100;

// Unspecified: what the shop shows of a product beside the fields of the interface description.
/** A picture of a product. */
export class ProductImage {
  @StringField({ example: '/uploads/product/linen-shirt.webp' })
  url: string;
  @StringField({ nullable: true, description: 'The alternative text', example: 'A blue linen shirt on a hanger' })
  alt: string | null;
}

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
  @UuidField({ nullable: true, description: 'Products of one group are variants of one thing' })
  group_id: string | null;
  @StringField({
    nullable: true,
    description: 'Identifies the product in the addresses of a shop front; null for a product that was deleted early',
    example: 'linen-shirt',
  })
  slug: string | null;
  @StringField({ nullable: true, description: 'The article number', example: 'LS-BLUE-M' })
  sku: string | null;
  @EnumField(productStatuses, { description: 'Only admins see drafts' })
  status: ProductStatus;
  @ArrayField(() => ProductImage, {
    optional: true,
    description: 'The gallery, beginning with image_url; left out in the lines of carts and orders',
  })
  images?: ProductImage[];
  @ListField(
    { kind: 'string' },
    {
      optional: true,
      description: 'The slugs of its categories; left out in the lines of carts and orders',
      example: ['shirts'],
    },
  )
  categories?: string[];
  @NumberField({ nullable: true, description: 'To two decimals; null without reviews', example: 4.4 })
  average_rating: number | null;
  @IntegerField({ example: 12 })
  review_count: number;
}

/** A product of a group. */
export class ProductVariant {
  @IntegerField()
  id: number;
  @StringField({ nullable: true, example: 'linen-shirt' })
  slug: string | null;
  @StringField({ example: 'Linen Shirt' })
  name: string;
  @StringField({ nullable: true, example: 'blue' })
  color: string | null;
  @StringField({ nullable: true, example: 'M' })
  size: string | null;
  @StringField({ nullable: true, example: 'linen' })
  material: string | null;
  @NumberField({ example: 49.9 })
  price: number;
  @IntegerField({ example: 25 })
  stock: number;
  @StringField({ nullable: true, example: '/uploads/product/linen-shirt.webp' })
  image_url: string | null;
}

/** A product with the variants of its group. */
export class ProductDetail extends Product {
  @ArrayField(() => ProductVariant, {
    description: 'The products of its group that the shop shows, itself included; empty without a group',
  })
  variants: ProductVariant[];
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

/** Products that go with another one. */
export class RelatedProducts {
  @ArrayField(() => Product, { description: 'At most eight, one of each group' })
  products: Product[];
}

export class ProductSlugPath {
  @StringField({ maxLength: 120, example: demo('productSlug') })
  slug: string;
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

const productSorts = productSortFields.flatMap((field) => [field, `-${field}`]);

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

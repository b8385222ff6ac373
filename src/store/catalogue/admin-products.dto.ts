import { ArrayField, EnumField, ListField, StringField, UuidField } from '../../platform/validation/fields.js';
import { pictureUrl } from '../../platform/validation/picture-url.js';
import { optionalText } from '../../platform/validation/texts.js';
import { slugText } from './slug-text.js';
import { ProductCreate, ProductUpdate } from './catalogue.dto.js';
import { productStatuses, type ProductStatus } from './product.entity.js';

const mostImages = 20;
const mostCategories = 10;

/** A picture of a gallery. */
export class GalleryImage {
  @StringField({ ...pictureUrl })
  url: string;
  @StringField({ ...optionalText, maxLength: 300, description: 'The alternative text', example: 'From the front' })
  alt?: string | null;
}

const group = {
  ...optionalText,
  description: 'Products of one group are variants of one thing, at most 100; make up a UUID for a new one',
} as const;
const sku = {
  ...optionalText,
  maxLength: 64,
  description: 'The article number, unique',
  example: 'LS-BLUE-M',
} as const;
const images = {
  optional: true,
  maxItems: mostImages,
  description: 'The gallery; its first picture becomes image_url, and goes before one that is sent beside it',
} as const;
const categories = {
  optional: true,
  maxItems: mostCategories,
  description: 'The slugs of the categories that the product is in',
} as const;
const oneSlug = { kind: 'string', ...slugText } as const;

// Unspecified: what admins set of a product beside the fields of the interface description.
export class AdminProductCreate extends ProductCreate {
  @UuidField(group)
  group_id?: string | null;
  @StringField({
    optional: true,
    nullable: 'ignored',
    ...slugText,
    example: undefined,
    description: 'Made from the name if omitted',
  })
  slug?: string;
  @StringField(sku)
  sku?: string | null;
  @EnumField(productStatuses, { default: 'published', description: 'Only admins see drafts' })
  status: ProductStatus;
  @ArrayField(() => GalleryImage, images)
  images?: GalleryImage[];
  @ListField(oneSlug, categories)
  categories?: string[];
}

/** Omitted fields stay as they are. */
export class AdminProductUpdate extends ProductUpdate {
  @UuidField(group)
  group_id?: string | null;
  @StringField({
    optional: true,
    nullable: 'ignored',
    ...slugText,
    example: undefined,
    description: 'The old one still leads to the product',
  })
  slug?: string;
  @StringField({ ...sku, example: undefined })
  sku?: string | null;
  @EnumField(productStatuses, {
    optional: true,
    nullable: 'ignored',
    description: 'A product that becomes a draft leaves all carts',
  })
  status?: ProductStatus;
  @ArrayField(() => GalleryImage, images)
  images?: GalleryImage[];
  @ListField(oneSlug, categories)
  categories?: string[];
}

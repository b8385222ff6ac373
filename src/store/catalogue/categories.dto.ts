import { ArrayField, IntegerField, StringField } from '../../platform/validation/fields.js';
import { pictureUrl } from '../../platform/validation/picture-url.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';
import { slugText } from './slug-text.js';

const maxName = 100;
const maxDescription = 2_000;
const maxPosition = 1_000_000;

// Unspecified: categories.
/** A category below another one. */
export class Subcategory {
  @StringField({ example: 'shirts' })
  slug: string;
  @StringField({ example: 'Shirts' })
  name: string;
  @StringField({ nullable: true, example: 'For every day of the week.' })
  description: string | null;
  @StringField({ nullable: true, example: '/uploads/product/shirts.webp' })
  image_url: string | null;
  @IntegerField({ description: 'What the shop shows of it and of those below; counted up to 10,000', example: 12 })
  product_count: number;
}

export class Category extends Subcategory {
  @ArrayField(() => Subcategory)
  children: Subcategory[];
}

export class Categories {
  @ArrayField(() => Category)
  categories: Category[];
}

/** A category as admins see it. */
export class AdminCategory {
  @StringField({ example: 'shirts' })
  slug: string;
  @StringField({ example: 'Shirts' })
  name: string;
  @StringField({ nullable: true, example: 'For every day of the week.' })
  description: string | null;
  @StringField({ nullable: true, example: '/uploads/product/shirts.webp' })
  image_url: string | null;
  @StringField({ nullable: true, description: 'The slug of the category that it is below', example: 'clothing' })
  parent: string | null;
  @IntegerField({ description: 'Its place among its neighbors, the least first', example: 0 })
  position: number;
}

const parent = {
  ...optionalText,
  ...slugText,
  example: undefined,
  description: 'The slug of the category that it goes below; that one is below no other',
} as const;
const position = { min: 0, max: maxPosition, description: 'Its place among its neighbors, the least first' } as const;

export class CategoryCreate {
  @StringField({ ...saidText, maxLength: maxName, example: 'Summer Sale' })
  name: string;
  @StringField({
    optional: true,
    nullable: 'ignored',
    ...slugText,
    example: undefined,
    description: 'Made from the name if omitted',
  })
  slug?: string;
  @StringField({ ...optionalText, maxLength: maxDescription, example: 'Until the end of August.' })
  description?: string | null;
  @StringField({ ...optionalText, ...pictureUrl, example: undefined })
  image_url?: string | null;
  @StringField(parent)
  parent?: string | null;
  @IntegerField({ ...position, default: 0 })
  position: number;
}

/** Omitted fields stay as they are. */
export class CategoryUpdate {
  @StringField({ optional: true, nullable: 'ignored', ...saidText, maxLength: maxName, example: 'Late Summer Sale' })
  name?: string;
  @StringField({ optional: true, nullable: 'ignored', ...slugText, example: undefined })
  slug?: string;
  @StringField({ ...optionalText, maxLength: maxDescription })
  description?: string | null;
  @StringField({ ...optionalText, ...pictureUrl, example: undefined })
  image_url?: string | null;
  @StringField(parent)
  parent?: string | null;
  @IntegerField({ optional: true, nullable: 'ignored', ...position })
  position?: number;
}

export class CategoryPath {
  @StringField({ maxLength: 80, example: 'summer-sale' })
  slug: string;
}

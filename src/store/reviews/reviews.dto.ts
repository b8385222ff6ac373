import { demo } from '../../platform/openapi/demo-values.js';
import {
  DateTimeField,
  IdField,
  IntegerField,
  NumberField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { pictureUrl } from '../../platform/validation/picture-url.js';
import { optionalText } from '../../platform/validation/texts.js';

// Unspecified: lengths of a review's texts; a headline, and more than people read.
const maxTitle = 200;
const maxContent = 5_000;

/** The author of a review, as everybody may see them. */
export class ReviewUser {
  @UuidField()
  id: string;
  @StringField({ example: 'maria.santos' })
  username: string;
  @StringField({ optional: true, nullable: true, example: 'Maria' })
  first_name: string | null;
  @StringField({ optional: true, nullable: true, example: 'Santos' })
  last_name: string | null;
  @StringField({ optional: true, nullable: true })
  avatar_url: string | null;
}

export class ReviewResponse {
  @IntegerField()
  id: number;
  @IntegerField()
  product_id: number;
  @UuidField()
  user_id: string;
  @ObjectField(() => ReviewUser)
  user: ReviewUser;
  @IntegerField({ example: 5 })
  rating: number;
  @StringField({ optional: true, nullable: true, example: 'Light and well cut' })
  title: string | null;
  @StringField({ optional: true, nullable: true, example: 'I have worn it all summer.' })
  content: string | null;
  @StringField({ optional: true, nullable: true })
  image_url: string | null;
  @DateTimeField()
  created_at: Date;
  @StringField({ optional: true, nullable: true, description: 'What the shop answers', example: 'Thank you!' })
  answer: string | null;
  @DateTimeField({ optional: true, nullable: true })
  answered_at: Date | null;
}

export class ReviewCreate {
  @IntegerField({ min: 1, max: 5, example: 4 })
  rating: number;
  @StringField({ ...optionalText, maxLength: maxTitle, example: 'Light and well cut' })
  title?: string | null;
  @StringField({ ...optionalText, maxLength: maxContent, example: 'I have worn it all summer.' })
  content?: string | null;
  @StringField({ ...optionalText, ...pictureUrl })
  image_url?: string | null;
}

/** The shop's answer to a review, which everybody sees. */
export class ReviewAnswer {
  @StringField({
    nullable: true,
    blank: 'none',
    maxLength: maxContent,
    description: 'Null removes the answer',
    example: 'Thank you! We have linen in four more colors.',
  })
  answer: string | null;
}

/** A product in numbers. */
export class ProductStats {
  @IntegerField()
  product_id: number;
  @NumberField({ description: 'The average of all ratings, to two decimals; 0 without ratings', example: 4.4 })
  average_rating: number;
  @IntegerField({ example: 12 })
  review_count: number;
  @IntegerField({ description: 'Orders that contain the product, except cancelled and refunded ones', example: 31 })
  order_count: number;
  @IntegerField({ example: 25 })
  stock: number;
}

export class ReviewPaging {
  @IntegerField({ min: 0, default: 0, description: 'The number of entries to skip' })
  skip: number;
  @IntegerField({ min: 1, max: 100, default: 20, description: 'The maximum number of entries' })
  limit: number;
}

export class ReviewPath {
  @IdField({ example: demo('review') })
  review_id: number;
}

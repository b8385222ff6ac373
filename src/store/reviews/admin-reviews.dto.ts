import { AdminPaging } from '../../platform/http/paging.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { DateTimeField, IdField, IntegerField, StringField, UuidField } from '../../platform/validation/fields.js';

/** A review beside the names of its product and author. */
export class AdminReview {
  @IntegerField()
  id: number;
  @IntegerField()
  product_id: number;
  @StringField({ example: 'Linen shirt' })
  product_name: string;
  @UuidField()
  user_id: string;
  @StringField({ example: 'maria.santos' })
  username: string;
  @IntegerField({ example: 5 })
  rating: number;
  @StringField({ nullable: true, example: 'Light and well cut' })
  title: string | null;
  @StringField({ nullable: true, example: 'I have worn it all summer.' })
  content: string | null;
  @StringField({ nullable: true })
  image_url: string | null;
  @DateTimeField()
  created_at: Date;
  @StringField({ nullable: true, description: 'What the shop answers', example: 'Thank you!' })
  answer: string | null;
  @DateTimeField({ nullable: true })
  answered_at: Date | null;
}

export class AdminReviewFilter extends AdminPaging {
  // Unspecified: the filters.
  @StringField({
    optional: true,
    trimmed: true,
    minLength: 3,
    maxLength: 200,
    description:
      'Only reviews with this in their title or text, in the name of the product, or in the username, e-mail address or ' +
      'name of the author, ignoring case',
    example: 'well cut',
  })
  search?: string;
  @IntegerField({ optional: true, min: 1, max: 5, description: 'Only reviews with this rating' })
  rating?: number;
  @IdField({ optional: true, description: 'Only reviews of this product', example: demo('product') })
  product_id?: number;
}

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
}

export class AdminReviewFilter extends AdminPaging {
  @IntegerField({ optional: true, min: 1, max: 5, description: 'Only reviews with this rating' })
  rating?: number;
  @IdField({ optional: true, description: 'Only reviews of this product', example: demo('product') })
  product_id?: number;
}

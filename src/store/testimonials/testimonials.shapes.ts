import { Paging } from '../../common/http/paging.js';
import {
  BooleanField,
  DateTimeField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../common/validation/fields.js';
import { pictureUrl } from '../../common/validation/picture-url.js';
import { UserPublic } from '../users/users.shapes.js';

const rating = { min: 1, max: 5 };
// Not shown: bounds of the texts; a testimonial says something, and names are as long as a user's.
const content = {
  minLength: 1,
  maxLength: 5_000,
  pattern: /\S/,
  patternHint: 'String should have more than blanks',
};
const guestName = { minLength: 1, maxLength: 100 };
const guestRole = { maxLength: 100 };

export class Testimonial {
  @IntegerField()
  id: number;
  @UuidField({ optional: true, nullable: true })
  user_id: string | null;
  @ObjectField(() => UserPublic, { optional: true, nullable: true })
  user: UserPublic | null;
  @StringField({ optional: true, nullable: true })
  guest_name: string | null;
  @StringField({ optional: true, nullable: true })
  guest_role: string | null;
  @StringField({ optional: true, nullable: true })
  guest_avatar_url: string | null;
  @StringField()
  content: string;
  @IntegerField()
  rating: number;
  @BooleanField()
  is_featured: boolean;
  @DateTimeField()
  created_at: Date;
  @StringField({ optional: true, nullable: true, description: "The guest's name where given, else the user's" })
  name: string | null;
  @StringField({ optional: true, nullable: true, description: "The guest's role" })
  role: string | null;
  @StringField({ optional: true, nullable: true, description: "The guest's avatar where given, else the user's" })
  avatar_url: string | null;
}

// Not shown: who may feature a testimonial. The document's bodies carry the flag without a condition, and so do we,
// under either policy.
export class TestimonialCreate {
  @StringField({ ...content, example: 'Ordered on Monday, wore it on Wednesday.' })
  content: string;
  @IntegerField({ ...rating, default: 5 })
  rating: number;
  @BooleanField({ default: false })
  is_featured: boolean;
}

/** What is left out stays as it is; null empties a guest's detail, and leaves the other fields as they are. */
export class TestimonialUpdate {
  @StringField({ optional: true, nullable: 'ignored', ...content })
  content?: string;
  @IntegerField({ optional: true, nullable: 'ignored', ...rating })
  rating?: number;
  @BooleanField({ optional: true, nullable: 'ignored' })
  is_featured?: boolean;
  @StringField({ optional: true, nullable: true, ...guestName })
  guest_name?: string | null;
  @StringField({ optional: true, nullable: true, ...guestRole })
  guest_role?: string | null;
  @StringField({ optional: true, nullable: true, ...pictureUrl })
  guest_avatar_url?: string | null;
}

export class TestimonialList extends Paging {
  @BooleanField({ default: false, description: 'Whether to list featured testimonials alone' })
  featured_only: boolean;
}

export class TestimonialPath {
  @IdField()
  testimonial_id: number;
}

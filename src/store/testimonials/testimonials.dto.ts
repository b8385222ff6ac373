import { demo } from '../../platform/openapi/demo-values.js';
import { AdminPaging, Paging } from '../../platform/http/paging.js';
import {
  BooleanField,
  DateTimeField,
  IdField,
  IntegerField,
  ObjectField,
  StringField,
  UuidField,
} from '../../platform/validation/fields.js';
import { pictureUrl } from '../../platform/validation/picture-url.js';
import { optionalText, saidText } from '../../platform/validation/texts.js';
import { UserPublic } from '../users/users.dto.js';

const rating = { min: 1, max: 5 };
// Unspecified: bounds of the texts; a testimonial is not blank, and names are as long as a user's.
const maxContent = 5_000;
const content = { ...saidText, maxLength: maxContent };
const guestName = { maxLength: 100 };
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
  @StringField({ example: 'Ordered on Monday, wore it on Wednesday.' })
  content: string;
  @IntegerField({ example: 5 })
  rating: number;
  @BooleanField()
  is_featured: boolean;
  @DateTimeField()
  created_at: Date;
  @StringField({ optional: true, nullable: true, description: 'What the shop answers', example: 'Thank you!' })
  answer: string | null;
  @DateTimeField({ optional: true, nullable: true })
  answered_at: Date | null;
  @StringField({
    optional: true,
    nullable: true,
    description: "The guest's name if given, else the user's",
    example: 'maria.santos',
  })
  name: string | null;
  @StringField({ optional: true, nullable: true, description: "The guest's role" })
  role: string | null;
  @StringField({ optional: true, nullable: true, description: "The guest's avatar if given, else the user's" })
  avatar_url: string | null;
}

// Unspecified: who may feature a testimonial. The bodies carry the flag without a condition, so the contract policy
// accepts it from everybody; the hardened one only from admins, and stores false for others.
export class TestimonialCreate {
  @StringField({ ...content, example: 'Ordered on Monday, wore it on Wednesday.' })
  content: string;
  @IntegerField({ ...rating, default: 5 })
  rating: number;
  @BooleanField({ default: false })
  is_featured: boolean;
}

/** Omitted fields stay as they are; null empties a guest's detail, and leaves the other fields as they are. */
export class TestimonialUpdate {
  @StringField({ optional: true, nullable: 'ignored', ...content, example: 'Ordered on Monday, wore it on Thursday.' })
  content?: string;
  @IntegerField({ optional: true, nullable: 'ignored', ...rating, example: 4 })
  rating?: number;
  @BooleanField({ optional: true, nullable: 'ignored' })
  is_featured?: boolean;
  @StringField({ ...optionalText, ...guestName })
  guest_name?: string | null;
  @StringField({ ...optionalText, ...guestRole })
  guest_role?: string | null;
  @StringField({ ...optionalText, ...pictureUrl })
  guest_avatar_url?: string | null;
}

/** The shop's answer to a testimonial, which everybody sees. */
export class TestimonialAnswer {
  @StringField({
    nullable: true,
    blank: 'none',
    maxLength: maxContent,
    description: 'Null removes the answer',
    example: 'Thank you! The next one is on its way.',
  })
  answer: string | null;
}

export class AdminTestimonialFilter extends AdminPaging {
  // Unspecified: the filters.
  @StringField({
    optional: true,
    trimmed: true,
    minLength: 3,
    maxLength: 200,
    description:
      'Only testimonials with this in their text or the name of the guest, or in the username, e-mail address or name of ' +
      'the author, ignoring case',
    example: 'Monday',
  })
  search?: string;
  @BooleanField({ default: false, description: 'Whether to list only featured testimonials' })
  featured_only: boolean;
}

export class TestimonialList extends Paging {
  @BooleanField({ default: false, description: 'Whether to list only featured testimonials' })
  featured_only: boolean;
}

export class TestimonialPath {
  @IdField({ example: demo('testimonial') })
  testimonial_id: number;
}

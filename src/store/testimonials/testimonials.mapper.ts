import type { TestimonialRow } from './testimonials.repository.js';
import type { Testimonial } from './testimonials.dto.js';

/** A user's first and last name as far as they have them, else the username. */
function userName({ first_name, last_name, username }: TestimonialRow): string | null {
  return [first_name, last_name].filter((part) => part?.trim()).join(' ') || username;
}

export function toTestimonial(row: TestimonialRow): Testimonial {
  const { username, first_name: _first, last_name: _last, user_avatar_url, ...testimonial } = row;
  return {
    ...testimonial,
    user: row.user_id !== null && username !== null ? { id: row.user_id, username } : null,
    name: row.guest_name ?? userName(row),
    role: row.guest_role,
    avatar_url: row.guest_avatar_url ?? user_avatar_url,
  };
}

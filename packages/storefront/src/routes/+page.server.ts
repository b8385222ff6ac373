import { toCard } from '$lib/card-product.ts';
import { answered } from '$lib/server/answered.ts';
import { departmentsOf } from '$lib/server/departments.ts';
import { keepBriefly } from '$lib/server/kept-briefly.ts';
import type { PageServerLoad } from './$types';

/** The first three stand on top of the page. */
const shownLoved = 11;
const shownNew = 5;
const shownTestimonials = 3;

export const load: PageServerLoad = async (event) => {
  const { api } = event.locals;
  const [departments, loved, newest, testimonials] = await Promise.all([
    departmentsOf(event),
    answered(api.products.list({ query: { sort: 'rating', on_group: true, in_stock: true, limit: shownLoved } })),
    answered(api.products.list({ query: { sort: 'newest', on_group: true, in_stock: true, limit: shownNew } })),
    answered(api.testimonials.list({ query: { featured_only: true, limit: shownTestimonials } })),
  ]);
  keepBriefly(event);
  return {
    departments: departments.map(({ slug, name, description, image_url }) => ({ slug, name, description, image_url })),
    loved: loved.map(toCard),
    newest: newest.map(toCard),
    testimonials: testimonials.map(({ id, content, rating, name, role, avatar_url, answer }) => ({
      id,
      content,
      rating,
      name,
      role,
      avatar_url,
      answer,
    })),
  };
};

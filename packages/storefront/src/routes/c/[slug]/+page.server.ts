import { error } from '@sveltejs/kit';
import { departmentsOf } from '$lib/server/departments.ts';
import { keepBriefly } from '$lib/server/kept-briefly.ts';
import { listingOf } from '$lib/server/listing.ts';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async (event) => {
  const { params, locals, url } = event;
  const slug = params.slug.toLowerCase();
  const asked = listingOf({ api: locals.api, url, category: slug, byDefault: 'rating' });
  const [departments, listing] = await Promise.all([departmentsOf(event), asked]);
  const department = departments.find((one) => one.slug === slug || one.children.some((child) => child.slug === slug));
  const shown = department?.slug === slug ? department : department?.children.find((child) => child.slug === slug);
  if (!department || !shown) error(404, { message: 'There is no such category', kind: 'missing' });
  keepBriefly(event);
  return {
    listing,
    category: { slug, name: shown.name, description: shown.description, image_url: shown.image_url },
    parent: shown === department ? null : { slug: department.slug, name: department.name },
    shelves: department.children.map(({ slug: one, name }) => ({ slug: one, name })),
  };
};

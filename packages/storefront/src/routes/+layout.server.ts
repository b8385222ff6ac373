import { departmentsOf } from '$lib/server/departments.ts';
import { countOf } from '$lib/server/guest-cart.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async (event) => {
  const { locals } = event;
  const [shop, departments] = await Promise.all([locals.shop(), departmentsOf(event)]);
  const categories = departments.map(({ slug, name }) => ({ slug, name }));
  return {
    shop,
    categories,
    language: locals.language,
    theme: locals.theme,
    customer: locals.session.isOpen ? {} : null,
    cartCount: countOf(event.cookies),
  };
};

import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async ({ locals }) => {
  const shop = await locals.shop();
  return { shop, language: locals.language, customer: null, cartCount: 0 };
};

import { frameOf } from '$lib/server/frame.ts';
import type { LayoutServerLoad } from './$types';

export const load: LayoutServerLoad = async (event) => {
  const { locals } = event;
  const { shop, categories } = await frameOf(event);
  const departments = categories.map(({ slug, name }) => ({ slug, name }));
  return { shop, categories: departments, language: locals.language, theme: locals.theme, customer: null, cartCount: 0 };
};

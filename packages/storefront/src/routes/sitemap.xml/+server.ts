import { answeredWhole } from '$lib/server/answered.ts';
import { productsPerPart, sitemapIndex } from '$lib/server/sitemap.ts';
import type { RequestHandler } from './$types';

/** Leads to the parts of the sitemap: the pages and categories, and the products by the hundred. */
export const GET: RequestHandler = async ({ locals, url }) => {
  const { response } = await answeredWhole(locals.api.products.list({ query: { limit: 1 } }));
  const total = Number(response.headers.get('x-total-count') ?? 0);
  const parts = Array.from({ length: Math.ceil(total / productsPerPart) }, (_, part) => `products-${part + 1}`);
  return sitemapIndex(['pages', ...parts].map((part) => `${url.origin}/sitemap/${part}.xml`));
};

import { error } from '@sveltejs/kit';
import { answered } from '$lib/server/answered.ts';
import { productsPerPart, sitemapOf } from '$lib/server/sitemap.ts';
import type { RequestHandler } from './$types';

const numbered = /^products-([1-9]\d{0,4})$/;

export const GET: RequestHandler = async ({ locals: { api }, params, url }) => {
  if (params.part === 'pages') {
    const { categories } = await answered(api.categories.tree());
    const slugs = categories.flatMap(({ slug, children }) => [slug, ...children.map((child) => child.slug)]);
    return sitemapOf(['/', '/search', ...slugs.map((slug) => `/c/${slug}`)].map((path) => url.origin + path));
  }
  const part = Number(numbered.exec(params.part)?.[1]);
  if (Number.isNaN(part)) error(404, { message: 'There is no such part of the sitemap', kind: 'missing' });
  const query = { skip: (part - 1) * productsPerPart, limit: productsPerPart };
  const products = await answered(api.products.list({ query }));
  if (products.length === 0) error(404, { message: 'There is no such part of the sitemap', kind: 'missing' });
  return sitemapOf(products.map(({ slug, id }) => `${url.origin}/p/${encodeURIComponent(slug ?? id)}`));
};

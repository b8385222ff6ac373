import type { RequestHandler } from './$types';

/** What is a visitor's own, and what belongs to the service behind these pages. */
const closed = [
  '/account',
  '/api',
  '/cart',
  '/checkout',
  '/confirm',
  '/console',
  '/login',
  '/orders',
  '/register',
  '/reset',
];

export const GET: RequestHandler = ({ url }) => {
  const lines = [
    'User-agent: *',
    ...closed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${url.origin}/sitemap.xml`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
};

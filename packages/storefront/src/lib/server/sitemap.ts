/** How many products stand in one part of the sitemap: as many as the service answers at once. */
export const productsPerPart = 100;

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => escapes[one] ?? one);

const schema = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** A file of a sitemap, which may be kept for an hour. */
function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`, {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}

export const sitemapIndex = (addresses: readonly string[]): Response =>
  xml(
    `<sitemapindex ${schema}>\n${addresses.map((one) => `<sitemap><loc>${escaped(one)}</loc></sitemap>`).join('\n')}\n</sitemapindex>`,
  );

export const sitemapOf = (addresses: readonly string[]): Response =>
  xml(`<urlset ${schema}>\n${addresses.map((one) => `<url><loc>${escaped(one)}</loc></url>`).join('\n')}\n</urlset>`);

/**
 * Moves the addresses of a page's scripts from its head, which a browser reads first, to the foot of its body. A browser opens
 * few connections, and the picture that one came for would otherwise wait for some twenty scripts.
 */
export async function scriptsLast(page: Response): Promise<Response> {
  const links = page.headers.get('link')?.split(', ') ?? [];
  const isOfScript = (link: string) => link.includes('rel="modulepreload"');
  const tags = links
    .filter(isOfScript)
    .map((link) => link.replace(/^<([^>"]*)>.*$/, '<link rel="modulepreload" href="$1" />'));
  if (tags.length === 0) return page;
  const headers = new Headers(page.headers);
  headers.set('link', links.filter((link) => !isOfScript(link)).join(', '));
  headers.delete('content-length');
  const html = (await page.text()).replace('</body>', () => `  ${tags.join('')}\n  </body>`);
  return new Response(html, { status: page.status, headers });
}

import type { RequestEvent } from '@sveltejs/kit';

/**
 * Lets caches between a visitor and the shop keep a page for half a minute, where it shows nothing of this visitor's. The browser
 * itself asks each time: what it kept would miss a login and a changed cart.
 */
export function keepBriefly({
  setHeaders,
  locals,
  cookies,
}: Pick<RequestEvent, 'setHeaders' | 'locals' | 'cookies'>): void {
  const isAnybodys = !locals.session.isOpen && cookies.getAll().length === 0;
  setHeaders({ 'cache-control': isAnybodys ? 'public, max-age=0, s-maxage=30' : 'private, no-cache' });
}

import type { RequestEvent } from '@sveltejs/kit';
import { knownBy } from './own-cookies.ts';

/**
 * Lets caches between a visitor and the shop keep a page for half a minute, where it shows nothing of this visitor's. The browser
 * itself asks each time: what it kept would miss a login and a changed cart.
 */
export function keepBriefly({ setHeaders, cookies }: Pick<RequestEvent, 'setHeaders' | 'cookies'>): void {
  setHeaders({
    'cache-control': knownBy(cookies) === 'nobody' ? 'public, max-age=0, s-maxage=30' : 'private, no-cache',
  });
}

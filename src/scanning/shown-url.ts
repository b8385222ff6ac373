import { looksSecret } from './secret-look.js';
import { masked } from './secret-mask.js';

/** An @ after what parsers take for the host: a password with a slash, or an address within an address. */
const laterUserInfo = /^[^:]*:\/\/[^/?#\\]*[/?#\\].*@/s;

/** An address as everyone may see it: origin and path, what looks like a key in the path masked, and nothing else. */
export function shownUrl(url: string): string {
  if (!URL.canParse(url) || laterUserInfo.test(url)) return masked(url);
  const { protocol, host, pathname, username, password } = new URL(url);
  const segments = pathname.split('/');
  const path = segments.map((segment) => (looksSecret(segment) ? masked(segment) : segment));
  const hides = username !== '' || password !== '' || /[?#]/.test(url) || segments.some((one, at) => one !== path[at]);
  // As it was written where nothing is hidden; not the parser's origin, which is "null" for schemes beside the web's.
  return hides ? `${protocol}//${host}${path.join('/')}` : url;
}

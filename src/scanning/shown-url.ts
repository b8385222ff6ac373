import { looksSecret } from './secret-detection.js';
import { masked } from '../platform/crypto/secret-mask.js';
import { parseUrl } from '../config/parse-url.js';

/** An @ after the host as parsers find it: a password with a slash, or a URL within a URL. */
const laterUserInfo = /^[^:]*:\/\/[^/?#\\]*[/?#\\].*@/s;

/** An address that is itself a secret, such as a chat's incoming webhook: its origin, and a mask. */
export function shownSecretUrl(url: string): string {
  const parsed = parseUrl(url);
  return parsed ? `${parsed.protocol}//${parsed.host}/${masked(url)}` : masked(url);
}

/** A URL without its secrets: only origin and path, with masks for anything like a key in the path. */
export function shownUrl(url: string): string {
  const parsed = laterUserInfo.test(url) ? null : parseUrl(url);
  if (!parsed) return masked(url);
  const { protocol, host, pathname, username, password } = parsed;
  const segments = pathname.split('/');
  const path = segments.map((segment) => (looksSecret(segment) ? masked(segment) : segment));
  const hides = username !== '' || password !== '' || /[?#]/.test(url) || segments.some((one, at) => one !== path[at]);
  // The text itself if nothing is hidden. Not the parser's origin, which is "null" for schemes other than the web's.
  return hides ? `${protocol}//${host}${path.join('/')}` : url;
}

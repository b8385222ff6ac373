import { parseUrl } from '../../config/parse-url.js';

/** The origin (RFC 6454) of a Referer header; null without one, and for one that is not an address of the web. */
export function originOf(referer: string | undefined): string | null {
  const url = referer === undefined ? null : parseUrl(referer);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : null;
}

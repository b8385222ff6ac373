import type { AssetClass } from '../vocabulary.js';

/**
 * The address without its scheme. Two spellings of one place are one address: the host is in lower case, and a URL of
 * nothing but its host ends there. A user's name and password are no part of it.
 * Not shown: what beyond the scheme makes two addresses one; no more than that, since paths may differ by anything.
 */
function withoutScheme(address: string): string {
  const [, authority, rest = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (authority === undefined) return address;
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase() + (rest === '/' ? '' : rest);
}

/** What tells an asset from all others of its organization: `asset://<class in lower kebab case>/<address>`. */
export function assetUri(assetClass: AssetClass, address: string): string {
  return `asset://${assetClass.toLowerCase().replaceAll('_', '-')}/${withoutScheme(address)}`;
}

import type { AssetClass } from '../vocabulary.js';

/**
 * The address without scheme, user name and password. Two spellings of one place are one address: the host is in lower
 * case, and a lone slash after it is dropped.
 * Unspecified: which other spellings are the same address. None is: paths may differ by anything.
 */
function withoutScheme(address: string): string {
  const [, authority, rest = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (authority === undefined) return address;
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase() + (rest === '/' ? '' : rest);
}

/** What identifies an asset in its organization: `asset://<class in lower kebab case>/<address>`. */
export function assetUri(assetClass: AssetClass, address: string): string {
  return `asset://${assetClass.toLowerCase().replaceAll('_', '-')}/${withoutScheme(address)}`;
}

import type { AssetClass } from '../vocabulary.js';

/**
 * The address without scheme, user name and password. Two spellings of one place give one address: the host becomes lower
 * case, and a lone slash after it goes.
 * Unspecified: which other spellings are the same address. None: paths may differ by anything.
 */
function withoutScheme(address: string): string {
  const [, authority, rest = ''] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)(.*)$/is.exec(address) ?? [];
  if (authority === undefined) return address;
  return authority.slice(authority.lastIndexOf('@') + 1).toLowerCase() + (rest === '/' ? '' : rest);
}

/** Identifies an asset in its organization: `asset://<class in lower kebab case>/<address>`. */
export function assetUri(assetClass: AssetClass, address: string): string {
  return `asset://${assetClass.toLowerCase().replaceAll('_', '-')}/${withoutScheme(address)}`;
}

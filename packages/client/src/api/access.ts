import type { Surroundings } from '../surroundings.js';
import { exitCodes, Failure } from '../failure.js';
import { credentialsFile, readCredentials } from './credentials-file.js';
import { readKey, serviceAddress, usualAddress } from './service-address.js';

/** The address of the service, and the key to call it with. */
export interface Access {
  address: string;
  /** The API key; null without one. */
  key: string | null;
  /** Where the key comes from, for people; `typed` for one just entered, null without one. */
  keyFrom: string | null;
  /** Whether the key is one of the shop, which is sent as a bearer token. */
  isOfShop?: true;
}

/** The `keyFrom` of a key that was just typed: no setting or file holds one to correct. */
export const typed = 'typed';

/** The access from the environment, or else what `store login` kept. A kept key is sent only to its own address. */
export function accessOf(place: Pick<Surroundings, 'env' | 'platform'>, warn: (message: string) => void): Access {
  const { STORE_API_URL = '', STORE_API_KEY = '' } = place.env;
  const named = STORE_API_URL.trim() ? serviceAddress(STORE_API_URL.trim()) : null;
  if (STORE_API_KEY.trim()) {
    const key = readKey(STORE_API_KEY);
    const address = named ?? readCredentials(place, warn)?.address ?? usualAddress;
    return { address, key, keyFrom: 'STORE_API_KEY' };
  }
  const kept = readCredentials(place, warn);
  const address = named ?? kept?.address ?? usualAddress;
  if (kept?.address === address) return { address, key: readKey(kept.key), keyFrom: credentialsFile(place) ?? '' };
  return { address, key: null, keyFrom: null };
}

/** The access to the shop: the same address, and the key or token of `STORE_SHOP_KEY`. */
export function shopAccessOf(place: Pick<Surroundings, 'env' | 'platform'>, warn: (message: string) => void): Access {
  const { STORE_SHOP_KEY = '' } = place.env;
  if (!STORE_SHOP_KEY.trim()) {
    const sentence =
      'there is no key of the shop\n       Set STORE_SHOP_KEY to one, or to the access token of an admin';
    throw new Failure(`Not authenticated: ${sentence}`, exitCodes.notAllowed);
  }
  const key = readKey(STORE_SHOP_KEY, 'STORE_SHOP_KEY');
  return { address: accessOf(place, warn).address, key, keyFrom: 'STORE_SHOP_KEY', isOfShop: true };
}

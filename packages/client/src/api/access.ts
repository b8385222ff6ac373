import { exitCodes, Failure } from '../failure.js';
import { contextInUse, noSuchContext } from './contexts.js';
import { credentialsFile, type Place, readCredentials, usualContext } from './credentials-file.js';
import { readKey, serviceAddress, usualAddress } from './service-address.js';

/** The address of the service, and the key to call it with. */
export interface Access {
  address: string;
  /** The API key; null without one. */
  key: string | null;
  /** Where the key comes from, for people; `typed` for one just entered, null without one. */
  keyFrom: string | null;
  /** The context that the key is kept for. */
  context?: string;
  /** Whether the key is one of the shop, which is sent as a bearer token. */
  isOfShop?: true;
}

/** The `keyFrom` of a key that was just typed: no setting or file holds one to correct. */
export const typed = 'typed';

type Warn = (message: string) => void;

/** What `store login` kept for a context. The usual one may be absent; one that somebody named may not. */
function keptAccess(place: Place, warn: Warn, context: string, isNamed: boolean): (Access & { key: string }) | null {
  const kept = readCredentials(place, warn, context);
  if (kept) {
    const keyFrom = credentialsFile(place, context) ?? '';
    return { address: kept.address, key: readKey(kept.key), keyFrom, context };
  }
  if (isNamed || context !== usualContext) throw noSuchContext(context);
  return null;
}

/**
 * The access of the context that was named; else from the environment; else what `store login` kept. A kept key is sent only
 * to its own address.
 */
export function accessOf(place: Place, warn: Warn, named?: string): Access {
  const context = contextInUse(place, named);
  if (named !== undefined) return keptAccess(place, warn, context, true) ?? nobody(usualAddress);
  const { STORE_API_URL = '', STORE_API_KEY = '' } = place.env;
  const address = STORE_API_URL.trim() ? serviceAddress(STORE_API_URL.trim()) : null;
  if (STORE_API_KEY.trim()) {
    const key = readKey(STORE_API_KEY);
    const kept = address ?? keptAccess(place, warn, context, false)?.address ?? usualAddress;
    return { address: kept, key, keyFrom: 'STORE_API_KEY' };
  }
  const kept = keptAccess(place, warn, context, false);
  if (kept && (address === null || address === kept.address)) return kept;
  return nobody(address ?? usualAddress);
}

function nobody(address: string): Access {
  return { address, key: null, keyFrom: null };
}

/** The access to the shop: the same address, and the key or token of `STORE_SHOP_KEY`. */
export function shopAccessOf(place: Place, warn: Warn, named?: string): Access {
  const { STORE_SHOP_KEY = '' } = place.env;
  if (!STORE_SHOP_KEY.trim()) {
    const sentence =
      'there is no key of the shop\n       Set STORE_SHOP_KEY to one, or to the access token of an admin';
    throw new Failure(`Not authenticated: ${sentence}`, exitCodes.notAllowed);
  }
  const key = readKey(STORE_SHOP_KEY, 'STORE_SHOP_KEY');
  return { address: accessOf(place, warn, named).address, key, keyFrom: 'STORE_SHOP_KEY', isOfShop: true };
}

import type { Surroundings } from '../surroundings.js';
import { credentialsFile, readCredentials } from './credentials-file.js';
import { readKey, serviceAddress, usualAddress } from './service-address.js';

/** Where the service is, and as whom it is asked. */
export interface Access {
  address: string;
  /** Sent with each request. */
  headers: Record<string, string>;
  /** Where the key is from, for people; `typed` for one that was just given, null without one. */
  keyFrom: string | null;
}

/** Of what was typed just now: nothing is set or kept that could be put right. */
export const typed = 'typed';

export function accessByKey(address: string, key: string, keyFrom: string): Access {
  return { address, headers: { 'x-api-key': key }, keyFrom };
}

/** The access that the environment gives, or else what `store login` kept. A kept key goes to its own address alone. */
export function accessOf(place: Pick<Surroundings, 'env' | 'platform'>, warn: (message: string) => void): Access {
  const { STORE_API_URL = '', STORE_API_KEY = '' } = place.env;
  const named = STORE_API_URL.trim() ? serviceAddress(STORE_API_URL.trim()) : null;
  if (STORE_API_KEY.trim()) {
    const key = readKey(STORE_API_KEY);
    const address = named ?? readCredentials(place, warn)?.address ?? usualAddress;
    return accessByKey(address, key, 'STORE_API_KEY');
  }
  const kept = readCredentials(place, warn);
  const address = named ?? kept?.address ?? usualAddress;
  if (kept?.address === address) return accessByKey(address, readKey(kept.key), credentialsFile(place) ?? '');
  return { address, headers: {}, keyFrom: null };
}

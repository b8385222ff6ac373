import type { IncomingMessage } from 'node:http';
import { keyPrefixes } from '../crypto/api-keys.js';
import type { KeyScope } from './scopes.js';

/** A key of the shop as the caller of a request. */
export interface ShopKeyCaller {
  id: string;
  name: string;
  scopes: readonly KeyScope[];
  /** The account that made it. */
  createdBy: string;
}

/** Finds keys of the shop. The keys module implements it. */
export abstract class ShopKeyDirectory {
  /** The key, or null for one that is unknown, expired or revoked. */
  abstract find(key: string): Promise<ShopKeyCaller | null>;
}

const bearerToken = /^bearer +(\S{1,200})$/i;

/** The key of the shop that a request carries as its bearer token. */
export function shopKeyOf({ headers }: IncomingMessage): string | undefined {
  const token = bearerToken.exec(headers.authorization ?? '')?.[1];
  return token?.startsWith(keyPrefixes.shop) === true ? token : undefined;
}

import type { Caller } from './caller.js';
import type { Person } from './person.js';

/** Somebody who uses the service. */
export interface Client {
  readonly caller: Caller;
  /** How often it acts, against the others. */
  readonly weight: number;
  /** One thing that it does: a few requests, one after the other. */
  act(): Promise<void>;
  /** What it does when everybody wants the same goods at once; `which` says which of them. */
  rush?(which: number): Promise<void>;
}

/** What the clients know of each other's doing, as people in one company do. */
export interface Scene {
  admin: Person;
  triager: Person;
  profileId: string;
  assetIds: string[];
  productIds: number[];
  couponCodes: string[];
}

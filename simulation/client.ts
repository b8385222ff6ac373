import type { Caller } from './caller.js';
import type { Person } from './person.js';
import type { Random } from './random.js';
import type { World } from './world.js';

/** Somebody who uses the service. */
export interface Client {
  readonly caller: Caller;
  /** How often it acts, against the others. */
  readonly weight: number;
  /** One thing that it does: a few requests, one after the other. */
  act(): Promise<void>;
}

/** What the clients know of each other's doing, as people in one company do. */
export interface Scene {
  world: World;
  admin: Person;
  random: Random;
  organizationId: string;
  profileId: string;
  assetIds: string[];
  productIds: number[];
  couponCodes: string[];
}

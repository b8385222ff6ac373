import { AsyncLocalStorage } from 'node:async_hooks';
import type { Client } from 'pg';
import type { Random } from './random.js';

/** A node of the service from its start to its end: one that is started anew has another life. */
export class Life {
  /** Its connections to the database, open or not. */
  readonly clients = new Set<Client>();
  hasEnded = false;

  constructor(
    readonly node: 0 | 1,
    readonly number: number,
  ) {}
}

/** Somebody whose work a step consists of: a client, or the worker of a node. */
export class Actor {
  /** It has nothing more to do in this step; what it left behind at a node may go on. */
  isDone = false;
  /** How many statements its work has had. */
  statements = 0;
  /** Ends the request that it waits for. */
  hangUp: (() => void) | undefined;

  constructor(
    readonly name: string,
    /** What its work draws from where the service leaves something to chance. */
    readonly random: Random,
  ) {}
}

/** Where code runs: in which node, and for whom. Nobody's work is the node's own. */
export interface Whereabouts {
  life: Life;
  actor?: Actor | undefined;
}

export const whereabouts = new AsyncLocalStorage<Whereabouts>();

/** Has `Math.random` draw from the seed in the work of actors; ids and secrets stay what they are. */
export function ruleChance(): void {
  const really = Math.random;
  Math.random = () => {
    const actor = whereabouts.getStore()?.actor;
    return actor ? actor.random.next() : really();
  };
}

import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import type { Client } from 'pg';
import type { Random } from './random.js';

/** Somebody whose work a step consists of: a client, or the worker of a node. */
export class Actor {
  /** It has nothing more to do in this step; what it left behind at a node may go on. */
  isDone = false;
  /** How many statements its work has had. */
  statements = 0;
  /** Ends the request that it waits for, and says why. */
  hangUp: ((why: string) => void) | undefined;

  constructor(
    readonly name: string,
    /** What its work draws from where the service leaves something to chance. */
    readonly random: Random,
    /** Whether it stands for whoever acts, one after the other. */
    readonly isAnybody = false,
  ) {}
}

/** A node of the service from its start to its end: one that is started anew has another life. */
export class Life {
  /** Its connections to the database, open or not. */
  readonly clients = new Set<Client>();
  hasEnded = false;
  /** Resolves when it has ended: what its code then waits for never comes. */
  readonly ended: Promise<void>;
  private resolveEnd: () => void = () => undefined;
  /** It is being stopped as by SIGTERM: its timers go by the real clock from then on. */
  isStopping = false;
  /** Whoever does what the node does for nobody: change notices, leases, notes. */
  readonly house: Actor;

  constructor(
    readonly node: 0 | 1,
    readonly number: number,
    random: Random,
  ) {
    this.house = new Actor(`node-${node}`, random);
    this.ended = new Promise((resolve) => (this.resolveEnd = resolve));
  }

  end(): void {
    this.hasEnded = true;
    this.resolveEnd();
  }
}

/** Where code runs: in which node, and for whom. Nobody's work is the node's own. */
export interface Whereabouts {
  life: Life;
  actor?: Actor | undefined;
}

export const whereabouts = new AsyncLocalStorage<Whereabouts>();

/** Has `Math.random`, and what `node:crypto` makes of chance, draw from the seed within nodes. */
export function ruleChance(): void {
  const random = (): Random | undefined => {
    const where = whereabouts.getStore();
    return where && (where.actor ?? where.life.house).random;
  };
  const { randomUUID, randomBytes, randomFillSync } = crypto;
  const really = { randomUUID, randomBytes, randomFillSync, random: Math.random };
  const bytes = (from: Random, size: number): Buffer => Buffer.from(from.hex(size), 'hex');
  Math.random = () => random()?.next() ?? really.random();
  Object.assign(crypto, {
    randomUUID: () => random()?.uuid() ?? really.randomUUID(),
    randomBytes: (size: number, callback?: (error: Error | null, made: Buffer) => void) => {
      const from = random();
      const made = from ? bytes(from, size) : really.randomBytes(size);
      if (!callback) return made;
      return void setImmediate(() => callback(null, made));
    },
    randomFillSync: (buffer: Uint8Array) => {
      const from = random();
      if (!from) return really.randomFillSync(buffer);
      buffer.set(bytes(from, buffer.length));
      return buffer;
    },
  });
  syncBuiltinESMExports();
}

import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { Unavailable } from '../errors/kinds.js';
import { TooManyWaiting, Turns } from './turns.js';

/** Argon2id, the library's default, at OWASP's cost: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of the same cost that no password has: checked where there is no account, so that it takes as long. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$c3RvcmUtc2VydmljZS1ubw$aCDSEfOA8/oqwVyPQSdNfCUV/26YjilYfANz9+HoUk8';

// Not shown: how much hashing runs at once. It shares Node's four pool threads with file access, so one stays free; and
// fewer at once than guesses are allowed keeps right passwords sent in parallel from looking like a run of guesses.
const atOnce = Math.min(availableParallelism(), 3);
const maxWaiting = 400;

/** What a turn allows: to hash passwords, and to compare them with hashes. */
export interface Hashing {
  readonly hash: (password: string) => Promise<string>;
  /** Whether the password has this hash; without a hash false, after the same time. */
  readonly matches: (hash: string | null, password: string) => Promise<boolean>;
}

async function matches(stored: string | null, password: string): Promise<boolean> {
  const usable = stored?.startsWith('$argon2') ? stored : null;
  const right = await verify(usable ?? nobody, password);
  return right && usable !== null;
}

/** Passwords, hashed by Argon2id (RFC 9106). A flood of them waits in line rather than take the machine. */
@Injectable()
export class Passwords {
  private readonly hashing: Hashing = { hash: (password) => hash(password, cost), matches };
  private readonly turns = new Turns(atOnce, maxWaiting);

  /** Runs `work`, which may hash and compare, when its turn has come; `Unavailable` when the line is too long. */
  async inTurn<T>(work: (hashing: Hashing) => Promise<T>): Promise<T> {
    try {
      return await this.turns.run(() => work(this.hashing));
    } catch (error) {
      if (!(error instanceof TooManyWaiting)) throw error;
      throw new Unavailable('Too many are signing in at this moment: try again in a few seconds', 'busy');
    }
  }

  /** The hash of a password, in the PHC string format. */
  hash(password: string): Promise<string> {
    return this.inTurn((hashing) => hashing.hash(password));
  }
}

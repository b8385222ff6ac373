import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { FairSemaphore, NotAdmitted } from '../concurrency/fair-semaphore.js';
import { TooManyRequests, Unavailable } from '../errors/kinds.js';

/** Argon2id, the library's default, at OWASP's cost: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A hash of the same cost that no password has: checked where there is no account, so that it takes as long. */
const nobody = '$argon2id$v=19$m=19456,t=2,p=1$c3RvcmUtc2VydmljZS1ubw$aCDSEfOA8/oqwVyPQSdNfCUV/26YjilYfANz9+HoUk8';

// Unspecified: how much hashing runs at once. It shares Node's four pool threads with file access, so one stays free; and
// fewer at once than guesses are allowed keeps right passwords sent in parallel from looking like a run of guesses.
const atOnce = Math.min(availableParallelism(), 3);
const bounds = { atOnce, waiting: 400, waitingPerKey: 100, waitMs: 30_000 };
const comeBackSeconds = 5;

/** What passwords are hashed for, each with a line of its own: whoever signs in goes first, and waits for no line. */
const lines = ['login', 'change', 'registration'] as const;

/** What a password is hashed for, and for whom: those who ask from one address take turns with the others. */
export interface HashingPlace {
  line: (typeof lines)[number];
  /** Undefined where limits do not count the address. */
  address?: string | undefined;
}

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

/**
 * Passwords, hashed by Argon2id (RFC 9106). A flood of them waits in line rather than take the machine, and registrations
 * wait behind logins: none makes a login wait longer than the one hash that it has begun.
 */
@Injectable()
export class Passwords {
  private readonly hashing: Hashing = { hash: (password) => hash(password, cost), matches };
  private readonly semaphore = new FairSemaphore(bounds, lines.length);

  /**
   * Runs `work`, which may hash or compare once, when its turn has come. `Unavailable` when the line is too long,
   * `TooManyRequests` when it is too long for the address.
   */
  async inTurn<T>({ line, address }: HashingPlace, work: (hashing: Hashing) => Promise<T>): Promise<T> {
    try {
      return await this.semaphore.run(() => work(this.hashing), { line: lines.indexOf(line), key: address });
    } catch (error) {
      if (!(error instanceof NotAdmitted)) throw error;
      if (error.why === 'full-for-key') {
        const sentence =
          'Too many from your address are signing in or registering at this moment: wait for them to end';
        throw new TooManyRequests(sentence, comeBackSeconds, 'busy');
      }
      throw new Unavailable(
        'Too many are signing in at this moment: try again in a few seconds',
        'busy',
        comeBackSeconds,
      );
    }
  }

  /** The hash of a password, in the PHC string format. */
  hash(password: string, place: HashingPlace): Promise<string> {
    return this.inTurn(place, (hashing) => hashing.hash(password));
  }
}

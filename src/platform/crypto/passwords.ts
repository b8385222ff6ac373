import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { busy } from '../concurrency/busy.js';
import { FairSemaphore } from '../concurrency/fair-semaphore.js';

/** Argon2id, the library's default, at OWASP's cost: 19 MiB, two passes, one lane (Password Storage Cheat Sheet). */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * A hash of the same cost that no password has. Checking it for an unknown account takes as long as for a known one.
 */
const hashOfNobody =
  '$argon2id$v=19$m=19456,t=2,p=1$c3RvcmUtc2VydmljZS1ubw$aCDSEfOA8/oqwVyPQSdNfCUV/26YjilYfANz9+HoUk8';

// Unspecified: how much hashing runs at once. It shares Node's four pool threads with file access, so one stays free.
// And while fewer run at once than attempts may fail, right passwords sent in parallel are not blocked as failures.
const atOnce = Math.min(availableParallelism(), 3);
const bounds = { waiting: 400, waitingPerKey: 100, waitMs: 30_000 };
const refusal = busy(
  'Too many logins and registrations from your address are in progress: wait until they have ended',
  'Too many users are signing in at the moment: try again in a few seconds',
  5,
);

/** The queues of password hashing; each is served before the next. */
const queues = ['login', 'change', 'registration'] as const;

/** The queue of a request for hashing and its address; the addresses in a queue are served in rotation. */
export interface HashingPlace {
  queue: (typeof queues)[number];
  /** Undefined if limits do not count the address. */
  address?: string | undefined;
}

/** The operations of admitted work. */
export interface Hashing {
  /** The hash, with a random salt unless one is given. */
  readonly hash: (password: string, salt?: Buffer) => Promise<string>;
  /** Whether the password has this hash; false without a hash, after the same time. */
  readonly matches: (hash: string | null, password: string) => Promise<boolean>;
}

/**
 * Makes the comparison of `Hashing` from a function that verifies a hash; without a usable hash, it verifies a dummy.
 */
export function matchesBy(verifies: typeof verify): Hashing['matches'] {
  return async (stored, password) => {
    const usable = stored?.startsWith('$argon2') ? stored : null;
    const right = await verifies(usable ?? hashOfNobody, password);
    return right && usable !== null;
  };
}

/**
 * Passwords, hashed by Argon2id (RFC 9106). A flood of requests queues instead of taking the whole machine. Logins go
 * before registrations, and wait for at most one hash of a registration that has begun.
 */
@Injectable()
export class Passwords {
  private readonly hashing: Hashing = {
    hash: (password, salt) => hash(password, salt ? { ...cost, salt } : cost),
    matches: matchesBy(verify),
  };
  private readonly semaphore = new FairSemaphore({ ...bounds, atOnce }, queues.length);

  /**
   * Queues `work`, which hashes or compares one after the other, and returns its result. `Unavailable` if the queue is
   * full, `TooManyRequests` if it is full for the address.
   */
  enqueue<T>({ queue, address }: HashingPlace, work: (hashing: Hashing) => Promise<T>): Promise<T> {
    return this.semaphore.run(() => work(this.hashing), {
      isForCaller: true,
      line: queues.indexOf(queue),
      key: address,
      refusal,
    });
  }

  /** The hash of a password, in the PHC string format. */
  hash(password: string, place: HashingPlace, salt?: Buffer): Promise<string> {
    return this.enqueue(place, (hashing) => hashing.hash(password, salt));
  }
}

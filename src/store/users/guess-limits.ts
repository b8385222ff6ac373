import { Injectable } from '@nestjs/common';
import { sha256 } from '../../common/crypto/digests.js';
import { TooManyRequests } from '../../common/errors/kinds.js';
import { isLimited, limitKeyOf } from '../../common/net/caller-address.js';
import { GuessLimitsRepository } from './guess-limits.repository.js';

const wrongPerAccount = 5;
// Not shown: how many wrong ones one address may make over all accounts; many people may share it.
const wrongPerAddress = 50;

/** A guess at a secret: what is guessed at, of which account, from where. */
export interface Guess {
  key: string;
  /** Null on loopback, which is not counted over all accounts. */
  addressKey: string | null;
}

/**
 * Bounds guesses at passwords and codes: per account and address together, so that a stranger cannot lock the owner
 * out, and per address over all accounts. The counts are in the database, so that all nodes share them. Every guess is
 * counted before it is tried and taken back when it proves right, so that guesses in parallel gain nothing.
 */
@Injectable()
export class GuessLimits {
  constructor(private readonly repository: GuessLimitsRepository) {}

  /** The guess that is counted under `kind` for an account, by name or id, from an address. */
  guess(kind: 'login' | 'code' | 'password', account: string, ip: string | undefined): Guess {
    const address = limitKeyOf(ip);
    // A digest, because people type passwords where the username belongs.
    const key = `${kind}:${sha256(`${account.toLowerCase()}|${address}`)}`;
    return { key, addressKey: isLimited(address) ? `address:${address}` : null };
  }

  /**
   * Counts a guess, has `prove` try it, and lets the count stand or forgets all; answers whether it was right. In a unit
   * of work, guesses in parallel wait for one another. `TooManyRequests` where it may not be tried.
   */
  async attempt(guess: Guess, prove: () => Promise<boolean>): Promise<boolean> {
    await this.take(guess);
    const right = await prove();
    await (right ? this.clear(guess) : this.wrong(guess));
    return right;
  }

  /** Counts a guess that is about to be tried; `TooManyRequests` where it may not be. */
  async take({ key, addressKey }: Guess): Promise<void> {
    if (await this.repository.take(key, addressKey, wrongPerAccount)) return;
    const keys = addressKey === null ? [key] : [key, addressKey];
    const seconds = Math.max(1, Math.ceil(await this.repository.secondsLeft(keys)));
    throw new TooManyRequests(`Too many wrong attempts: try again in ${seconds} s`, seconds, 'too_many_attempts');
  }

  /** Lets the count of a wrong guess stand, and counts it for the address. */
  async wrong({ addressKey }: Guess): Promise<void> {
    if (addressKey !== null) await this.repository.take(addressKey, null, wrongPerAddress);
    await this.repository.forgetOld();
  }

  /** Takes back a guess that was right but does not let anyone in yet; earlier wrong ones still count. */
  takeBack({ key }: Guess): Promise<void> {
    return this.repository.takeBack(key);
  }

  /** Forgets all wrong guesses, once the last factor is right. */
  clear({ key }: Guess): Promise<void> {
    return this.repository.clear(key);
  }
}

import { Injectable } from '@nestjs/common';
import { RateExceeded } from '../errors/errors.js';
import type { RateName } from '../../config/quotas.js';
import { Settings } from '../../config/settings.js';
import { RatesRepository } from './rates.repository.js';

/** Counts the acts of one address, user or organization over a window, in the database, so that all nodes share it. */
@Injectable()
export class Rates {
  constructor(
    private readonly repository: RatesRepository,
    private readonly settings: Settings,
  ) {}

  /** Counts one more for the key; `RateExceeded`, counting nothing, where that is one too many. */
  async take(name: RateName, key: string): Promise<void> {
    if (await this.mayTake(name, key)) return;
    throw new RateExceeded(this.settings.quotas[name], await this.repository.secondsLeft(counterOf(name, key)));
  }

  /** Counts one more for the key, and returns whether it was not one too many. */
  async mayTake(name: RateName, key: string): Promise<boolean> {
    const { limit, windowSeconds } = this.settings.quotas[name];
    return (await this.repository.take(counterOf(name, key), 1, limit, windowSeconds)) !== null;
  }

  /** Gives back one that does not count after all. */
  giveBack(name: RateName, key: string): Promise<void> {
    return this.repository.giveBack(counterOf(name, key), 1);
  }
}

/** The key of a counter. */
export function counterOf(name: RateName, key: string): string {
  return `${name}:${key}`;
}

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RateExceeded } from '../errors/errors.js';
import type { RateName } from '../../config/quotas.js';
import { Settings } from '../../config/settings.js';
import { counterOf } from './rates.js';
import { RatesRepository } from './rates.repository.js';

interface Lease {
  left: number;
  /** The end of its window, and of the lease. */
  until: number;
}

const mostLeases = 10_000;
/** A node leases a thousandth of the limit at once, so that most requests need no database. */
const leasesOfLimit = 1_000;

/** Rates of frequent acts: nodes lease a part of the limit, and count their use of it in memory. */
@Injectable()
export class RateLeases {
  private readonly leases = new LRUCache<string, Lease>({ max: mostLeases });

  constructor(
    private readonly repository: RatesRepository,
    private readonly settings: Settings,
  ) {}

  /** Gives up all leases. */
  forget(): void {
    this.leases.clear();
  }

  /** Counts `amount` for the key, all or nothing; `RateExceeded` where that is too much. Call it outside units of work. */
  async take(name: RateName, key: string, amount: number): Promise<void> {
    const quota = this.settings.quotas[name];
    const counter = counterOf(name, key);
    const own = this.useOf(counter, amount);
    const needed = amount - own;
    if (needed === 0) return;
    const chunk = Math.max(needed, Math.floor(quota.limit / leasesOfLimit));
    for (const size of new Set([chunk, needed])) {
      const seconds = await this.repository.take(counter, size, quota.limit, quota.windowSeconds);
      if (seconds !== null) return this.keep(counter, size - needed, Date.now() + seconds * 1_000);
    }
    this.giveBack(name, key, own);
    throw new RateExceeded(quota, await this.repository.secondsLeft(counter));
  }

  /** Gives back acts that do not count after all. */
  giveBack(name: RateName, key: string, amount: number): void {
    const lease = this.valid(counterOf(name, key));
    if (lease) lease.left += amount;
  }

  /** Uses the rest of the lease, at most `amount`; returns how much that was. */
  private useOf(counter: string, amount: number): number {
    const lease = this.valid(counter);
    const used = Math.min(lease?.left ?? 0, amount);
    if (lease) lease.left -= used;
    return used;
  }

  private keep(counter: string, left: number, until: number): void {
    this.leases.set(counter, { left: left + (this.valid(counter)?.left ?? 0), until });
  }

  private valid(counter: string): Lease | undefined {
    const lease = this.leases.get(counter);
    return lease && lease.until > Date.now() ? lease : undefined;
  }
}

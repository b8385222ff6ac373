import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RateExceeded, RuleBroken } from '../../platform/errors/errors.js';
import { Rates } from '../../platform/quotas/rates.js';

const mostKnown = 10_000;

/** Prevents the guessing of coupon codes: counts wrong ones for the address or the user that tries them. */
@Injectable()
export class CouponAttempts {
  /** Keys without attempts left: refusing them takes no statement. */
  private readonly exhausted = new LRUCache<string, RateExceeded>({ max: mostKnown });

  constructor(private readonly rates: Rates) {}

  /** Forgets who has no attempts left. */
  forget(): void {
    this.exhausted.clear();
  }

  /**
   * Looks a code up for an address or a user; undefined stands for one that no limit counts. It counts the attempt first and
   * uncounts it where there is such a coupon, so that guessing in parallel gains nothing. `RateExceeded` after too many wrong
   * ones.
   */
  async look<Found>(
    key: string | undefined,
    look: () => Promise<Found>,
    hasCoupon: (found: Found) => boolean,
  ): Promise<Found> {
    if (key === undefined) return look();
    await this.count(key);
    const found = await look();
    if (hasCoupon(found)) await this.rates.giveBack('couponGuesses', key);
    return found;
  }

  /** Orders with a code, and counts it for the user where it is unusable: an order reveals as much about a code as a lookup. */
  async order<Placed>(userId: string, order: () => Promise<Placed>): Promise<Placed> {
    this.assertSomeLeft(userId);
    try {
      return await order();
    } catch (error) {
      if (error instanceof RuleBroken && error.code === 'coupon_unusable') await this.count(userId);
      throw error;
    }
  }

  private assertSomeLeft(key: string): void {
    const refusal = this.exhausted.get(key);
    if (refusal) throw new RateExceeded(refusal.quota, this.exhausted.getRemainingTTL(key) / 1_000);
  }

  private async count(key: string): Promise<void> {
    this.assertSomeLeft(key);
    try {
      await this.rates.take('couponGuesses', key);
    } catch (error) {
      if (error instanceof RateExceeded) this.exhausted.set(key, error, { ttl: error.retryAfterSeconds * 1_000 });
      throw error;
    }
  }
}

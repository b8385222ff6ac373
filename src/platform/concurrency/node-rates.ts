import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** A limit of what one key may do on a node. */
export interface RateOfNode {
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** Counts the acts of keys on a node, in memory. */
@Injectable()
export class NodeRates {
  private readonly limiters = new Map<string, RateLimiterMemory>();

  /** Begins to count anew. */
  forget(): void {
    this.limiters.clear();
  }

  /** Counts one more for the key; returns the milliseconds to wait, 0 where it is within the limit. */
  async count({ name, points, seconds }: RateOfNode, key: string): Promise<number> {
    const limiter = this.limiters.get(name) ?? new RateLimiterMemory({ points, duration: seconds });
    this.limiters.set(name, limiter);
    try {
      await limiter.consume(key);
      return 0;
    } catch (reason) {
      if (!(reason instanceof RateLimiterRes)) throw reason;
      return Math.max(1, reason.msBeforeNext);
    }
  }
}

import { Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../errors/kinds.js';
import { isLoopback, limitKeyOf } from '../net/caller-address.js';

// Unspecified: rate limits. A hundred requests a second, over a minute, is far more than a person's client sends.
const requestsPerMinute = 6_000;

/**
 * Limits the requests of one address to this node. It counts in memory, since it protects the node; attempts to guess a
 * secret are counted in the database, by the modules that keep secrets.
 */
@Injectable()
export class AddressLimit {
  private readonly limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });

  /** Counts a request of the address; throws `TooManyRequests` where it is one too many. */
  async count(address: string): Promise<void> {
    if (isLoopback(address)) return;
    try {
      await this.limiter.consume(limitKeyOf(address));
    } catch (reason) {
      const seconds = reason instanceof RateLimiterRes ? reason.msBeforeNext / 1000 : 1;
      throw new TooManyRequests('Too many requests from your address: wait as long as Retry-After says', seconds);
    }
  }

  readonly handle: RequestHandler = (request, _response, next) => {
    const address = request.ip ?? '';
    if (isLoopback(address)) next();
    else this.count(address).then(() => next(), next);
  };
}

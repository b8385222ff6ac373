import { Injectable } from '@nestjs/common';
import type { RequestHandler } from 'express';
import { NodeRates } from '../concurrency/node-rates.js';
import { TooManyRequests } from '../errors/errors.js';
import { isLoopback, limitKeyOf } from '../net/caller-address.js';

// Unspecified: rate limits. A hundred requests a second, over a minute, is far more than a person's client sends.
const rate = { name: 'requests', points: 6_000, seconds: 60 };

/**
 * Limits the requests of one address to this node. It counts in memory, since it protects the node; the modules that
 * keep secrets count attempts to guess one in the database.
 */
@Injectable()
export class AddressLimit {
  constructor(private readonly rates: NodeRates) {}

  /** Counts a request of the address; throws `TooManyRequests` if it is one too many. */
  async count(address: string): Promise<void> {
    if (isLoopback(address)) return;
    const waitMs = await this.rates.count(rate, limitKeyOf(address));
    if (waitMs === 0) return;
    throw new TooManyRequests('Too many requests from your address: wait as long as Retry-After says', waitMs / 1000);
  }

  readonly handle: RequestHandler = (request, _response, next) => {
    const address = request.ip ?? '';
    if (isLoopback(address)) next();
    else this.count(address).then(() => next(), next);
  };
}

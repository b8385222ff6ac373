import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TooManyRequests } from '../errors/kinds.js';

// Not shown: rate limits. A hundred requests a second, over a minute, is far more than a person's client sends.
const requestsPerMinute = 6_000;

/** Whether an address is this machine's own: its clients are trusted not to flood. */
export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * Bounds what one address may ask of this node. Kept in memory: it protects the node, and guesses are counted in the
 * database by the rooms that guard secrets.
 */
export function limitByAddress(): RequestHandler {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return (request, _response, next) => {
    const address = request.ip ?? '';
    if (isLoopback(address)) return next();
    limiter.consume(address).then(
      () => next(),
      (reason: unknown) => {
        const seconds = reason instanceof RateLimiterRes ? reason.msBeforeNext / 1000 : 1;
        next(new TooManyRequests('Too many requests from your address: wait as long as Retry-After says', seconds));
      },
    );
  };
}

import { TooManyRequests, Unavailable } from '../errors/errors.js';
import type { NotAdmitted } from './fair-semaphore.js';

/** Refuses work that is not admitted: with `ofKey` where too much of its key waits, else with `ofAll`. */
export function busy(ofKey: string, ofAll: string, retryAfterSeconds: number): (reason: NotAdmitted) => Error {
  return ({ why }) =>
    why === 'full-for-key'
      ? new TooManyRequests(ofKey, retryAfterSeconds, 'busy')
      : new Unavailable(ofAll, 'busy', retryAfterSeconds);
}

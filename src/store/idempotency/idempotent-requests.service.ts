import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Requester } from '../../platform/auth/caller.js';
import { keyOfAnotherRequest, requestRunning } from '../../platform/http/idempotency-key.js';
import { IdempotencyKeysRepository } from './idempotency-keys.repository.js';

/** What distinguishes a request from others of its caller. */
export interface KeyedRequest {
  by: Requester;
  /** Its Idempotency-Key; null if it has none. */
  key: string | null;
  /** What it asks for; another request with the same key is refused. */
  asks: unknown;
}

/** Does what a request asks for once, however often it comes with the same Idempotency-Key within 24 hours. */
@Injectable()
export class IdempotentRequestsService {
  constructor(private readonly keys: IdempotencyKeysRepository) {}

  /**
   * In a unit of work: the result of `work`, which becomes JSON, or that of the earlier request with the key. `Conflict`
   * while that is running, `Invalid` for a key that another request had.
   */
  async once<T extends object>({ by, key: sentKey, asks }: KeyedRequest, work: () => Promise<T>): Promise<T> {
    if (sentKey === null) return work();
    const { userId, key } = storedAs(by, sentKey);
    const hash = createHash('sha256').update(JSON.stringify(asks)).digest('hex');
    if (!(await this.keys.takeSlot(userId, key))) throw requestRunning();
    await this.keys.removeExpired(userId, key);
    const stored = await this.keys.find(userId, key);
    if (stored && stored.requestHash !== hash) throw keyOfAnotherRequest(sentKey);
    if (stored) return stored.response as T;
    const response = await work();
    await this.keys.insert({ userId, key, requestHash: hash, response });
    return response;
  }

  /** Forgets a request whose work came to nothing, so that it may be repeated. */
  async forget({ by, key: sentKey }: KeyedRequest): Promise<void> {
    if (sentKey === null) return;
    const { userId, key } = storedAs(by, sentKey);
    await this.keys.remove(userId, key);
  }
}

/** An Idempotency-Key as it is stored: keys of the shop have theirs apart from those of the account that made them. */
function storedAs({ userId, keyId }: Requester, key: string): { userId: string; key: string } {
  return { userId, key: keyId === null ? key : `${keyId}:${key}` };
}

import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { sha256 } from '../../platform/crypto/digests.js';
import { keyOfAnotherRequest, requestRunning } from '../../platform/http/idempotency-key.js';
import { JsonText } from '../../platform/http/json-text.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { CartAddItem, CartMerge } from './cart.dto.js';
import { CartMergeRepository } from './cart-merge.repository.js';
import { CartRepository } from './cart.repository.js';

/** Takes the lines of a cart that a browser kept before its owner signed in. */
@Injectable()
export class CartMergeService {
  constructor(
    private readonly carts: CartRepository,
    private readonly repository: CartMergeRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Adds what fits of the lines to the caller's cart, and says of each what was cut. With an Idempotency-Key: the answer
   * to the earlier request of the same lines, `Invalid` for a key that another request had. The lock of the cart makes
   * requests of one key wait for each other.
   */
  merge(lines: CartAddItem[], { id: userId }: CallerIdentity, sentKey: string | null): Promise<JsonText<CartMerge>> {
    const key = sentKey === null ? null : { key: sentKey, hash: sha256(`cart-merge ${JSON.stringify(lines)}`) };
    return this.unitOfWork.run(async () => {
      const { id: cartId } = await this.carts.lock(userId);
      const stored = key && (await this.repository.mergedBefore(userId, key));
      if (stored && stored.request_hash !== key.hash) throw keyOfAnotherRequest(key.key);
      const body = stored ? stored.body : await this.repository.merge({ userId, cartId }, lines, key);
      if (body === null) throw requestRunning();
      return new JsonText(body);
    });
  }
}

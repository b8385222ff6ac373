import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import type { CartAddItem } from './cart.dto.js';
import { mergedBefore, mergeLines } from './cart-merge.statements.js';

/** The Idempotency-Key of a request, and a digest of its lines. */
export interface MergeKey {
  key: string;
  hash: string;
}

interface Owner {
  userId: string;
  cartId: number;
}

@Injectable()
export class CartMergeRepository {
  constructor(private readonly database: Database) {}

  /** The answer to an earlier request of the key; null if there was none. */
  mergedBefore(userId: string, { key }: MergeKey): Promise<{ request_hash: string; body: string } | null> {
    return this.database.row<{ request_hash: string; body: string }>(mergedBefore, [userId, key]);
  }

  /** Adds what fits of the lines to a locked cart; returns the answer, or null if another request has the key. */
  async merge({ userId, cartId }: Owner, lines: readonly CartAddItem[], key: MergeKey | null): Promise<string | null> {
    const values = [
      cartId,
      lines.map(({ product_id }) => product_id),
      lines.map(({ quantity }) => quantity),
      userId,
      key?.key,
      key?.hash,
    ];
    const { body, is_kept } = await this.database.one<{ body: string; is_kept: boolean }>(mergeLines, values);
    return is_kept ? body : null;
  }
}

import type { CacheTag } from '../../platform/changes/change-bus.js';

/** The reviews of any product. */
export const anyReviews: CacheTag = 'any-reviews';

/** The reviews of one product. */
export function reviewsOf(productId: number): CacheTag {
  return `reviews:${productId}`;
}

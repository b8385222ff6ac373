import type { Topic } from '../../common/changes/change-bus.js';

/** The reviews of any product. */
export const anyReviews: Topic = 'any-reviews';

/** The reviews of one product. */
export function reviewsOf(productId: number): Topic {
  return `reviews:${productId}`;
}

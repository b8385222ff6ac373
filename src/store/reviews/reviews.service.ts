import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../common/auth/access-policy.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { Conflict, Forbidden, found, NotFound, Unauthenticated } from '../../common/errors/kinds.js';
import { ListTotals } from '../../common/http/total-count.js';
import { Changes } from '../../database/changes.js';
import { anyReviews, reviewsOf } from './review-cache-tags.js';
import { toReviewResponse } from './reviews.mapper.js';
import { ReviewsRepository } from './reviews.repository.js';
import type { ProductStats, ReviewCreate, ReviewPaging, ReviewResponse } from './reviews.shapes.js';

/** What users say of products. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly repository: ReviewsRepository,
    private readonly policy: AccessPolicy,
    private readonly changes: Changes,
    private readonly totals: ListTotals,
  ) {}

  /** A page of a product's reviews, newest first; `NotFound` where there is no such product. */
  async list(productId: number, { skip, limit }: ReviewPaging): Promise<ReviewResponse[]> {
    const page = found(await this.repository.page(productId, skip, limit), 'Product').map(toReviewResponse);
    const count = () => this.repository.count(productId);
    const list = { key: `reviews ${productId}`, cacheTags: [reviewsOf(productId), anyReviews], count };
    return this.totals.page(page, { skip, limit }, list);
  }

  /**
   * Adds the caller's review of a product; `NotFound` where there is no such product, `Conflict` for a second one,
   * `Unauthenticated` where their account has gone meanwhile.
   */
  async create(productId: number, review: ReviewCreate, caller: CallerIdentity): Promise<ReviewResponse> {
    const written = found(await this.repository.insert(productId, caller.id, review), 'Product');
    if (written === 'nobody') throw new Unauthenticated();
    if (written === 'duplicate') {
      throw new Conflict(
        'You have reviewed this product already: delete that review to write another',
        'already_reviewed',
      );
    }
    this.changes.invalidate([reviewsOf(productId)]);
    return toReviewResponse(written);
  }

  /** A product in numbers; `NotFound` where there is no such product. */
  async stats(productId: number): Promise<ProductStats> {
    return found(await this.repository.stats(productId), 'Product');
  }

  /** Deletes a review. Only its owner or an admin may: `Forbidden` otherwise, `NotFound` where there is none. */
  async remove(reviewId: number, caller: CallerIdentity): Promise<void> {
    const review = found(await this.repository.byId(reviewId), 'Review');
    if (!this.policy.ownerOrAdmin(caller, review.userId)) {
      throw new Forbidden('Only the owner of a review or an admin may delete it', 'not_the_owner');
    }
    if (!(await this.repository.remove(reviewId))) throw new NotFound('Review not found');
    this.changes.invalidate([reviewsOf(review.productId)]);
  }
}

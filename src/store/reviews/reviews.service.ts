import { Injectable } from '@nestjs/common';
import { changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { AccessPolicy } from '../../platform/auth/access-policy.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { Conflict, Forbidden, found, NotFound, Unauthenticated } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { JsonText } from '../../platform/http/json-text.js';
import { ListTotals, withTotal } from '../../platform/http/total-count.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Rates } from '../../platform/quotas/rates.js';
import { ratedProduct } from '../catalogue/product-cache-tags.js';
import type { AdminReview, AdminReviewFilter } from './admin-reviews.dto.js';
import type { ReviewEntity } from './review.entity.js';
import { searchedPeople } from '../users/name-search.statements.js';
import { anyReviews, reviewsOf } from './review-cache-tags.js';
import { toReviewResponse } from './reviews.mapper.js';
import { ReviewsRepository } from './reviews.repository.js';
import type { ProductStats, ReviewAnswer, ReviewCreate, ReviewPaging, ReviewResponse } from './reviews.dto.js';

/** Reviews of products. */
@Injectable()
export class ReviewsService {
  constructor(
    private readonly repository: ReviewsRepository,
    private readonly policy: AccessPolicy,
    private readonly changes: Changes,
    private readonly totals: ListTotals,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly rates: Rates,
  ) {}

  /** A page of a product's reviews, newest first; `NotFound` if there is no such product. */
  async list(productId: number, paging: ReviewPaging): Promise<JsonText<ReviewResponse[]>> {
    const { body, count } = found(await this.repository.page(productId, paging.skip, paging.limit), 'Product');
    const cacheTags = [reviewsOf(productId), anyReviews];
    const list = { key: `reviews ${productId}`, cacheTags, count: () => this.repository.count(productId) };
    return withTotal(new JsonText<ReviewResponse[]>(body), await this.totals.total(count, paging, list));
  }

  /** A page of all reviews for the administration, newest first. */
  async listAll({ skip, limit, ...asked }: AdminReviewFilter): Promise<AdminReview[]> {
    const search = asked.search === undefined ? undefined : searchedPeople(asked.search);
    const filter = { search, rating: asked.rating, productId: asked.product_id };
    const page = await this.repository.pageOfAll(skip, limit, filter);
    const list = { key: 'all reviews', count: () => this.repository.countAll(filter) };
    return this.totals.page(page, { skip, limit }, list);
  }

  /**
   * Adds the caller's review of a product; `NotFound` if there is no such product, `Conflict` for a second one,
   * `Unauthenticated` where somebody deleted their account meanwhile, `RateExceeded` after too many in a day.
   */
  async create(productId: number, review: ReviewCreate, caller: CallerIdentity): Promise<ReviewResponse> {
    const written = await this.unitOfWork.run(async () => {
      await this.rates.take('reviews', caller.id);
      const row = found(await this.repository.insert(productId, caller.id, review), 'Product');
      if (row === 'nobody') throw new Unauthenticated();
      if (row !== 'duplicate') return row;
      const sentence = 'You have already reviewed this product: delete that review to write another';
      throw new Conflict(sentence, 'already_reviewed');
    });
    this.changes.invalidate([reviewsOf(productId), ...ratedProduct(productId)]);
    return toReviewResponse(written);
  }

  /** One review for the administration; `NotFound` if there is none. */
  async get(id: number): Promise<AdminReview> {
    return found(await this.repository.withNames(id), 'Review');
  }

  /**
   * Writes the shop's answer to a review, or removes it. `NotFound` if there is no such review, `ChangedMeanwhile` where it is
   * not `ifMatch`.
   */
  answer(id: number, { answer }: ReviewAnswer, ifMatch: string | null): Promise<AdminReview> {
    return this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Review');
      assertUnchanged(ifMatch, before);
      if (answer === before.answer) return before;
      const after = found(await this.repository.answer(id, answer), 'Review');
      const changes = changesOf(before, after, { shown: ['answer'] });
      await this.audit.record({ action: 'review.answered', subject: { id }, changes });
      this.changes.invalidate([reviewsOf(after.product_id)]);
      return after;
    });
  }

  /** A product in numbers; `NotFound` if there is no such product. */
  async stats(productId: number): Promise<ProductStats> {
    return found(await this.repository.stats(productId), 'Product');
  }

  /** Deletes a review. Only its owner or an admin may: `Forbidden` otherwise, `NotFound` if there is none. */
  async remove(reviewId: number, caller: CallerIdentity): Promise<void> {
    const review = found(await this.repository.byId(reviewId), 'Review');
    if (!this.policy.ownerOrAdmin(caller, review.userId)) {
      throw new Forbidden('Only the owner of a review or an admin may delete it', 'not_the_owner');
    }
    await this.unitOfWork.run(async () => {
      if (!(await this.repository.remove(reviewId))) throw new NotFound('Review not found');
      if (caller.id !== review.userId) await this.recordRemoval(review);
      this.changes.invalidate([reviewsOf(review.productId), ...ratedProduct(review.productId)]);
    });
  }

  /** For somebody else's review: people's acts on their own reviews are not audited. */
  private async recordRemoval({ id, productId, userId, rating }: ReviewEntity): Promise<void> {
    const review = { product_id: productId, user_id: userId, rating };
    const changes = changesOf(review, null, { shown: ['product_id', 'user_id', 'rating'] });
    await this.audit.record({ action: 'review.deleted', subject: { id }, changes });
  }
}

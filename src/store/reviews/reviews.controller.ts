import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity } from '../../platform/auth/caller.js';
import { Answers, Examples, Refuses } from '../../platform/http/answers.js';
import type { JsonText } from '../../platform/http/json-text.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { demo } from '../../platform/openapi/demo-values.js';
import { ProductPath } from '../catalogue/catalogue.dto.js';
import { Cacheable } from '../../platform/cache/cacheable.js';
import { assortment, productCacheTag } from '../catalogue/product-cache-tags.js';
import { faces } from '../users/user-cache-tags.js';
import { anyReviews, reviewsOf } from './review-cache-tags.js';
import { ReviewsService } from './reviews.service.js';
import { ProductStats, ReviewCreate, ReviewPaging, ReviewPath, ReviewResponse } from './reviews.dto.js';

@ApiTags('reviews')
@Controller('api/v1/reviews')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get('product/:product_id')
  @Public()
  @Cacheable((_, { product_id }) => [assortment, faces, anyReviews, reviewsOf(Number(product_id))])
  @CountsTotal()
  @Answers(
    200,
    [ReviewResponse],
    'List the reviews of a product, newest first',
    'Each with the public fields of its author.',
  )
  @Refuses({ not_found: ['not_found'] })
  list(@Param() { product_id }: ProductPath, @Query() paging: ReviewPaging): Promise<JsonText<ReviewResponse[]>> {
    return this.reviews.list(product_id, paging);
  }

  @Post('product/:product_id')
  @Bearer()
  @Answers(201, ReviewResponse, 'Review a product', 'A user can write one review per product; a second one is a 409.')
  @Refuses({ not_found: ['not_found'], conflict: ['already_reviewed'], too_many_requests: ['rate_exceeded'] })
  @Examples({ product_id: demo('reviewableProduct') })
  create(
    @Param() { product_id }: ProductPath,
    @Body() review: ReviewCreate,
    @Caller() caller: CallerIdentity,
  ): Promise<ReviewResponse> {
    return this.reviews.create(product_id, review, caller);
  }

  @Get('product/:product_id/stats')
  @Public()
  @Cacheable(({ product_id }: ProductStats) => [productCacheTag(product_id), anyReviews, reviewsOf(product_id)])
  @Answers(
    200,
    ProductStats,
    'Get statistics of a product: ratings, orders, stock',
    'The average and number of its ratings, the number of orders that contain it, and its stock.',
  )
  @Refuses({ not_found: ['not_found'] })
  stats(@Param() { product_id }: ProductPath): Promise<ProductStats> {
    return this.reviews.stats(product_id);
  }

  @Delete(':review_id')
  @Bearer()
  @Answers(
    204,
    undefined,
    'Delete a review',
    'Only its author or an admin may delete it; the author can then write another one.',
  )
  @Refuses({ forbidden: ['not_the_owner'], not_found: ['not_found'] })
  remove(@Param() { review_id }: ReviewPath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.reviews.remove(review_id, caller);
  }
}

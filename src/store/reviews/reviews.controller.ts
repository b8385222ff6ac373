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
    'Each with its author, as everybody may see them.',
  )
  @Refuses({ not_found: ['not_found'] })
  list(@Param() { product_id }: ProductPath, @Query() paging: ReviewPaging): Promise<JsonText<ReviewResponse[]>> {
    return this.reviews.list(product_id, paging);
  }

  @Post('product/:product_id')
  @Bearer()
  @Answers(201, ReviewResponse, 'Review a product', 'One review for a user and a product; a second one is a 409.')
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
    'Get a product in numbers: ratings, orders, stock',
    'The average of its ratings, how many there are, how many orders hold it, and how many pieces are left.',
  )
  @Refuses({ not_found: ['not_found'] })
  stats(@Param() { product_id }: ProductPath): Promise<ProductStats> {
    return this.reviews.stats(product_id);
  }

  @Delete(':review_id')
  @Bearer()
  @Answers(204, undefined, 'Delete a review', 'Its author may, and an admin; then the product can be reviewed anew.')
  @Refuses({ forbidden: ['not_the_owner'], not_found: ['not_found'] })
  remove(@Param() { review_id }: ReviewPath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.reviews.remove(review_id, caller);
  }
}

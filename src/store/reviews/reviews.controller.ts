import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, Public } from '../../common/auth/access.js';
import { Caller, type CallerIdentity } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { ProductPath } from '../catalogue/catalogue.shapes.js';
import { Cacheable } from '../../common/public-reads/cacheable.js';
import { assortment, productTopic } from '../catalogue/product-topics.js';
import { faces } from '../users/user-topics.js';
import { anyReviews, reviewsOf } from './review-topics.js';
import { ReviewsService } from './reviews.service.js';
import { ProductStats, ReviewCreate, ReviewPaging, ReviewPath, ReviewResponse } from './reviews.shapes.js';

@ApiTags('reviews')
@Controller('api/v1/reviews')
export class ReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  @Get('product/:product_id')
  @Public()
  @Cacheable((_, { product_id }) => [assortment, faces, anyReviews, reviewsOf(Number(product_id))])
  @Answers(200, [ReviewResponse], 'List the reviews of a product, newest first')
  @Refuses({ not_found: 'No such product' })
  list(@Param() { product_id }: ProductPath, @Query() paging: ReviewPaging): Promise<ReviewResponse[]> {
    return this.reviews.list(product_id, paging);
  }

  @Post('product/:product_id')
  @Bearer()
  @Answers(201, ReviewResponse, 'Review a product')
  @Refuses({ not_found: 'No such product', conflict: 'The caller has reviewed the product already' })
  create(
    @Param() { product_id }: ProductPath,
    @Body() review: ReviewCreate,
    @Caller() caller: CallerIdentity,
  ): Promise<ReviewResponse> {
    return this.reviews.create(product_id, review, caller);
  }

  @Get('product/:product_id/stats')
  @Public()
  @Cacheable(({ product_id }: ProductStats) => [productTopic(product_id), anyReviews, reviewsOf(product_id)])
  @Answers(200, ProductStats, 'Get a product in numbers: ratings, orders, stock')
  @Refuses({ not_found: 'No such product' })
  stats(@Param() { product_id }: ProductPath): Promise<ProductStats> {
    return this.reviews.stats(product_id);
  }

  @Delete(':review_id')
  @Bearer()
  @Answers(204, undefined, 'Delete a review')
  @Refuses({ forbidden: 'Neither the owner nor an admin', not_found: 'No such review' })
  remove(@Param() { review_id }: ReviewPath, @Caller() caller: CallerIdentity): Promise<void> {
    return this.reviews.remove(review_id, caller);
  }
}

import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { AdminReview, AdminReviewFilter } from './admin-reviews.dto.js';
import { ReviewAnswer, ReviewPath } from './reviews.dto.js';
import { ReviewsService } from './reviews.service.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminReviewsController {
  constructor(private readonly reviews: ReviewsService) {}

  // Unspecified: a list of all reviews.
  @Get('reviews')
  @AdminOnly()
  @Scope('catalog:read')
  @CountsTotal()
  @Answers(200, [AdminReview], 'List all reviews', 'Of all products in the catalog, newest first.')
  list(@Query() filter: AdminReviewFilter): Promise<AdminReview[]> {
    return this.reviews.listAll(filter);
  }

  // Unspecified: that the shop answers reviews.
  @Get('reviews/:review_id')
  @AdminOnly()
  @Scope('catalog:read')
  @Versioned()
  @Answers(200, AdminReview, 'Get a review', "With the names of its product and author, and the shop's answer.")
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { review_id }: ReviewPath): Promise<AdminReview> {
    return this.reviews.get(review_id);
  }

  @Put('reviews/:review_id/answer')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(
    200,
    AdminReview,
    'Answer a review',
    'Everybody sees the answer under the review; another one replaces it, and null or a blank text removes it.',
  )
  @TakesIfMatch()
  @Refuses({ not_found: ['not_found'], precondition_failed: ['changed_meanwhile'] })
  answer(
    @Param() { review_id }: ReviewPath,
    @Body() answer: ReviewAnswer,
    @IfMatch() ifMatch: string | null,
  ): Promise<AdminReview> {
    return this.reviews.answer(review_id, answer, ifMatch);
  }
}

import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { AdminReview, AdminReviewFilter } from './admin-reviews.dto.js';
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
}

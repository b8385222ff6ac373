import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { ReviewEntity } from './review.entity.js';
import { AdminReviewsController } from './admin-reviews.controller.js';
import { ReviewsController } from './reviews.controller.js';
import { ReviewsRepository } from './reviews.repository.js';
import { ReviewsService } from './reviews.service.js';

@Module({
  imports: [repositoriesOf([ReviewEntity])],
  controllers: [ReviewsController, AdminReviewsController],
  providers: [ReviewsService, ReviewsRepository],
})
export class ReviewsModule {}

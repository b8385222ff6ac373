import { Module } from '@nestjs/common';
import { repositoriesOf } from '../../database/repositories.js';
import { TestimonialEntity } from './testimonial.entity.js';
import { AdminTestimonialsController } from './admin-testimonials.controller.js';
import { TestimonialsController } from './testimonials.controller.js';
import { TestimonialsRepository } from './testimonials.repository.js';
import { TestimonialsService } from './testimonials.service.js';

@Module({
  imports: [repositoriesOf([TestimonialEntity])],
  controllers: [TestimonialsController, AdminTestimonialsController],
  providers: [TestimonialsService, TestimonialsRepository],
})
export class TestimonialsModule {}

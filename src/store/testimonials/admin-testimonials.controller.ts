import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { IfMatch, TakesIfMatch, Versioned } from '../../platform/http/if-match.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { AdminTestimonialFilter, Testimonial, TestimonialAnswer, TestimonialPath } from './testimonials.dto.js';
import { TestimonialsService } from './testimonials.service.js';

// Unspecified: that the shop searches and answers testimonials.
@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminTestimonialsController {
  constructor(private readonly testimonials: TestimonialsService) {}

  @Get('testimonials')
  @AdminOnly()
  @Scope('catalog:read')
  @CountsTotal()
  @Answers(200, [Testimonial], 'List all testimonials', 'Featured or not, newest first.')
  list(@Query() filter: AdminTestimonialFilter): Promise<Testimonial[]> {
    return this.testimonials.listAll(filter);
  }

  @Get('testimonials/:testimonial_id')
  @AdminOnly()
  @Scope('catalog:read')
  @Versioned()
  @Answers(200, Testimonial, 'Get a testimonial to answer it', 'The same as everybody sees, with its version.')
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { testimonial_id }: TestimonialPath): Promise<Testimonial> {
    return this.testimonials.get(testimonial_id);
  }

  @Put('testimonials/:testimonial_id/answer')
  @AdminOnly()
  @Scope('catalog:write')
  @Answers(
    200,
    Testimonial,
    'Answer a testimonial',
    'Everybody sees the answer under the testimonial; another one replaces it, and null or a blank text removes it.',
  )
  @TakesIfMatch()
  @Refuses({ not_found: ['not_found'], precondition_failed: ['changed_meanwhile'] })
  answer(
    @Param() { testimonial_id }: TestimonialPath,
    @Body() answer: TestimonialAnswer,
    @IfMatch() ifMatch: string | null,
  ): Promise<Testimonial> {
    return this.testimonials.answer(testimonial_id, answer, ifMatch);
  }
}

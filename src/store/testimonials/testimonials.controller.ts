import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, OpenUnderContract, Public } from '../../common/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../common/auth/caller.js';
import { Answers, Refuses } from '../../common/http/answers.js';
import { Cacheable } from '../../common/public-reads/cacheable.js';
import { faces } from '../users/user-topics.js';
import { allTestimonials } from './testimonial-topics.js';
import { TestimonialsService } from './testimonials.service.js';
import {
  Testimonial,
  TestimonialCreate,
  TestimonialList,
  TestimonialPath,
  TestimonialUpdate,
} from './testimonials.shapes.js';

@ApiTags('testimonials')
@Controller('api/v1/testimonials')
export class TestimonialsController {
  constructor(private readonly testimonials: TestimonialsService) {}

  @Get('/')
  @Public()
  @Cacheable(() => [allTestimonials, faces])
  @Answers(200, [Testimonial], 'List testimonials, newest first')
  list(@Query() query: TestimonialList): Promise<Testimonial[]> {
    return this.testimonials.list(query);
  }

  @Post('/')
  @Bearer()
  @Answers(201, Testimonial, 'Write a testimonial')
  create(@Body() testimonial: TestimonialCreate, @Caller() caller: CallerIdentity): Promise<Testimonial> {
    return this.testimonials.create(testimonial, caller);
  }

  @Get(':testimonial_id')
  @Public()
  @Cacheable(() => [allTestimonials, faces])
  @Answers(200, Testimonial, 'Get a testimonial')
  @Refuses({ not_found: 'No such testimonial' })
  get(@Param() { testimonial_id }: TestimonialPath): Promise<Testimonial> {
    return this.testimonials.get(testimonial_id);
  }

  @Put(':testimonial_id')
  @OpenUnderContract('bearer')
  @Answers(200, Testimonial, 'Update a testimonial')
  @Refuses({
    not_found: 'No such testimonial',
    rule_broken: 'Neither a user nor guest details would be left',
    forbidden: 'Under the hardened policy: neither the owner nor an admin',
  })
  update(
    @Param() { testimonial_id }: TestimonialPath,
    @Body() changes: TestimonialUpdate,
    @MaybeCaller() caller: CallerIdentity | null,
  ): Promise<Testimonial> {
    return this.testimonials.update(testimonial_id, changes, caller);
  }

  @Delete(':testimonial_id')
  @OpenUnderContract('bearer')
  @Answers(204, undefined, 'Delete a testimonial')
  @Refuses({
    not_found: 'No such testimonial',
    forbidden: 'Under the hardened policy: neither the owner nor an admin',
  })
  remove(@Param() { testimonial_id }: TestimonialPath, @MaybeCaller() caller: CallerIdentity | null): Promise<void> {
    return this.testimonials.remove(testimonial_id, caller);
  }
}

import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Bearer, OpenUnderContract, Public } from '../../platform/auth/access.js';
import { Caller, type CallerIdentity, MaybeCaller } from '../../platform/auth/caller.js';
import { Answers, Refuses } from '../../platform/http/answers.js';
import { CountsTotal } from '../../platform/http/total-count.js';
import { Cacheable } from '../../platform/cache/cacheable.js';
import { faces } from '../users/user-cache-tags.js';
import { allTestimonials } from './testimonial-cache-tags.js';
import { TestimonialsService } from './testimonials.service.js';
import {
  Testimonial,
  TestimonialCreate,
  TestimonialList,
  TestimonialPath,
  TestimonialUpdate,
} from './testimonials.dto.js';

@ApiTags('testimonials')
@Controller('api/v1/testimonials/')
export class TestimonialsController {
  constructor(private readonly testimonials: TestimonialsService) {}

  @Get()
  @Public()
  @Cacheable(() => [allTestimonials, faces])
  @CountsTotal()
  @Answers(
    200,
    [Testimonial],
    'List testimonials, newest first',
    'What customers and guests say about the shop; `featured_only` lists those that the shop has featured.',
  )
  list(@Query() query: TestimonialList): Promise<Testimonial[]> {
    return this.testimonials.list(query);
  }

  @Post()
  @Bearer()
  @Answers(
    201,
    Testimonial,
    'Write a testimonial',
    'It appears under your name. Under the hardened access policy, only an admin can feature one.',
  )
  @Refuses({ too_many_requests: ['rate_exceeded'] })
  create(@Body() testimonial: TestimonialCreate, @Caller() caller: CallerIdentity): Promise<Testimonial> {
    return this.testimonials.create(testimonial, caller);
  }

  @Get(':testimonial_id')
  @Public()
  @Cacheable(() => [allTestimonials, faces])
  @Answers(200, Testimonial, 'Get a testimonial', 'One testimonial, with the name, role and picture of its author.')
  @Refuses({ not_found: ['not_found'] })
  get(@Param() { testimonial_id }: TestimonialPath): Promise<Testimonial> {
    return this.testimonials.get(testimonial_id);
  }

  @Put(':testimonial_id')
  @OpenUnderContract('bearer')
  @Answers(
    200,
    Testimonial,
    'Update a testimonial',
    "Omitted fields stay as they are, and null clears a guest's detail. The contract access policy leaves this " +
      'open to everyone, as the interface description does; the hardened one requires its owner or an admin.',
  )
  @Refuses({ not_found: ['not_found'], rule_broken: ['guest_name_needed'], forbidden: ['not_the_owner'] })
  update(
    @Param() { testimonial_id }: TestimonialPath,
    @Body() changes: TestimonialUpdate,
    @MaybeCaller() caller: CallerIdentity | null,
  ): Promise<Testimonial> {
    return this.testimonials.update(testimonial_id, changes, caller);
  }

  @Delete(':testimonial_id')
  @OpenUnderContract('bearer')
  @Answers(
    204,
    undefined,
    'Delete a testimonial',
    'This cannot be undone. The contract access policy leaves this open to everyone, as the interface ' +
      'description does; the hardened one requires its owner or an admin.',
  )
  @Refuses({ not_found: ['not_found'], forbidden: ['not_the_owner'] })
  remove(@Param() { testimonial_id }: TestimonialPath, @MaybeCaller() caller: CallerIdentity | null): Promise<void> {
    return this.testimonials.remove(testimonial_id, caller);
  }
}

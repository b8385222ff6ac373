import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../common/auth/access-policy.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { found, NotFound, RuleBroken, Unauthenticated } from '../../common/errors/kinds.js';
import { Changes } from '../../database/changes.js';
import { allTestimonials } from './testimonial-topics.js';
import { toTestimonial } from './testimonials.mapper.js';
import { TestimonialsRepository } from './testimonials.repository.js';
import type { Testimonial, TestimonialCreate, TestimonialList, TestimonialUpdate } from './testimonials.shapes.js';

/** What people say of the shop. */
@Injectable()
export class TestimonialsService {
  constructor(
    private readonly repository: TestimonialsRepository,
    private readonly policy: AccessPolicy,
    private readonly changes: Changes,
  ) {}

  /** A page of testimonials, newest first, of all or of the featured ones. */
  async list({ skip, limit, featured_only }: TestimonialList): Promise<Testimonial[]> {
    return (await this.repository.page(skip, limit, featured_only)).map(toTestimonial);
  }

  /** One testimonial; `NotFound` where there is none. */
  async get(id: number): Promise<Testimonial> {
    return toTestimonial(found(await this.repository.byId(id), 'Testimonial'));
  }

  /** Adds the caller's testimonial; `Unauthenticated` where his account has gone meanwhile. */
  async create(testimonial: TestimonialCreate, caller: CallerIdentity): Promise<Testimonial> {
    const written = await this.repository.insert(caller.id, testimonial);
    if (!written) throw new Unauthenticated();
    this.changes.touch([allTestimonials]);
    return toTestimonial(written);
  }

  /**
   * Changes what is given of a testimonial. `NotFound` where there is none, `RuleBroken` where neither a user nor a
   * guest's name would be left, and under the hardened policy `Forbidden` for anyone but its owner or an admin.
   */
  async update(id: number, changes: TestimonialUpdate, caller: CallerIdentity | null): Promise<Testimonial> {
    const testimonial = found(await this.repository.byId(id), 'Testimonial');
    const sentence = 'Only the owner of a testimonial or an admin may change it';
    this.policy.demandOwnerOrAdmin(caller, testimonial.user_id, sentence);
    if (testimonial.user_id === null && changes.guest_name === null) {
      throw new RuleBroken(
        'A testimonial needs either a user or guest details: this one has no user, so guest_name must stay',
        'guest_name_needed',
      );
    }
    const updated = found(await this.repository.update(id, changes), 'Testimonial');
    this.changes.touch([allTestimonials]);
    return toTestimonial(updated);
  }

  /**
   * Deletes a testimonial. `NotFound` where there is none, and under the hardened policy `Forbidden` for anyone but its
   * owner or an admin.
   */
  async remove(id: number, caller: CallerIdentity | null): Promise<void> {
    const testimonial = found(await this.repository.byId(id), 'Testimonial');
    const sentence = 'Only the owner of a testimonial or an admin may delete it';
    this.policy.demandOwnerOrAdmin(caller, testimonial.user_id, sentence);
    if (!(await this.repository.remove(id))) throw new NotFound('Testimonial not found');
    this.changes.touch([allTestimonials]);
  }
}

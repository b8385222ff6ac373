import { Injectable } from '@nestjs/common';
import { type AuditedFields, changesOf } from '../../platform/audit/audit-changes.js';
import { AuditLog } from '../../platform/audit/audit-log.js';
import { AccessPolicy } from '../../platform/auth/access-policy.js';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { found, RuleBroken, Unauthenticated } from '../../platform/errors/errors.js';
import { assertUnchanged } from '../../platform/http/entity-tag.js';
import { ListTotals } from '../../platform/http/total-count.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { Rates } from '../../platform/quotas/rates.js';
import { searchedPeople } from '../users/name-search.statements.js';
import { allTestimonials } from './testimonial-cache-tags.js';
import { toTestimonial } from './testimonials.mapper.js';
import { type TestimonialRow, TestimonialsRepository } from './testimonials.repository.js';
import type {
  AdminTestimonialFilter,
  Testimonial,
  TestimonialAnswer,
  TestimonialCreate,
  TestimonialList,
  TestimonialUpdate,
} from './testimonials.dto.js';

const audited = {
  shown: ['rating', 'is_featured'],
  concealed: ['content', 'guest_name', 'guest_role', 'guest_avatar_url'],
} satisfies AuditedFields<TestimonialRow>;

/** Testimonials about the shop. */
@Injectable()
export class TestimonialsService {
  constructor(
    private readonly repository: TestimonialsRepository,
    private readonly policy: AccessPolicy,
    private readonly changes: Changes,
    private readonly totals: ListTotals,
    private readonly unitOfWork: UnitOfWork,
    private readonly audit: AuditLog,
    private readonly rates: Rates,
  ) {}

  /** A page of testimonials, newest first, of all or of the featured ones. */
  async list({ skip, limit, featured_only }: TestimonialList): Promise<Testimonial[]> {
    const page = (await this.repository.page(skip, limit, featured_only)).map(toTestimonial);
    const count = () => this.repository.count(featured_only);
    const list = { key: `testimonials ${featured_only}`, cacheTags: [allTestimonials], count };
    return this.totals.page(page, { skip, limit }, list);
  }

  /** A page of testimonials for the administration, newest first, or of the filter's matches. */
  async listAll({ skip, limit, search, featured_only }: AdminTestimonialFilter): Promise<Testimonial[]> {
    const filter = {
      search: search === undefined ? undefined : searchedPeople(search),
      featured: featured_only ? true : undefined,
    };
    const page = (await this.repository.foundPage(skip, limit, filter)).map(toTestimonial);
    const list = { key: 'found testimonials', count: () => this.repository.countFound(filter) };
    return this.totals.page(page, { skip, limit }, list);
  }

  /** One testimonial; `NotFound` if there is none. */
  async get(id: number): Promise<Testimonial> {
    return toTestimonial(found(await this.repository.byId(id), 'Testimonial'));
  }

  /**
   * Adds the caller's testimonial, which under the hardened policy only an admin features. `Unauthenticated` where
   * somebody deleted the account meanwhile, `RateExceeded` after too many in a day.
   */
  async create(testimonial: TestimonialCreate, caller: CallerIdentity): Promise<Testimonial> {
    const featured = testimonial.is_featured && this.mayFeature(caller);
    const written = await this.unitOfWork.run(async () => {
      await this.rates.take('testimonials', caller.id);
      const row = await this.repository.insert(caller.id, Object.assign({}, testimonial, { is_featured: featured }));
      if (!row) throw new Unauthenticated();
      return row;
    });
    this.changes.invalidate([allTestimonials]);
    return toTestimonial(written);
  }

  /**
   * Changes the given fields of a testimonial. `NotFound` if there is none, `RuleBroken` where neither a user nor a
   * guest's name would be left, and under the hardened policy `Forbidden` for anyone but its owner or an admin. Under
   * that policy only an admin features it: from others `is_featured: true` changes nothing.
   */
  update(id: number, changes: TestimonialUpdate, caller: CallerIdentity | null): Promise<Testimonial> {
    return this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Testimonial');
      const sentence = 'Only the owner of a testimonial or an admin may change it';
      this.policy.assertOwnerOrAdmin(caller, before.user_id, sentence);
      if (before.user_id === null && changes.guest_name === null) throw guestNameNeeded();
      const { is_featured: featured, ...others } = changes;
      // A client that sends the whole testimonial back must not undo that an admin featured it.
      const mayWrite = featured === false || this.mayFeature(caller);
      const allowed = featured !== undefined && mayWrite ? changes : others;
      const updated = found(await this.repository.update(id, allowed), 'Testimonial');
      const entry = { subject: { id }, changes: changesOf(before, updated, audited) };
      await this.audit.record({ action: 'testimonial.updated', ...entry });
      this.changes.invalidate([allTestimonials]);
      return toTestimonial(updated);
    });
  }

  /**
   * Writes the shop's answer to a testimonial, or removes it. `NotFound` if there is no such testimonial, `ChangedMeanwhile`
   * where it is not `ifMatch`.
   */
  answer(id: number, { answer }: TestimonialAnswer, ifMatch: string | null): Promise<Testimonial> {
    return this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Testimonial');
      assertUnchanged(ifMatch, toTestimonial(before));
      if (answer === before.answer) return toTestimonial(before);
      const after = found(await this.repository.answer(id, answer), 'Testimonial');
      const changes = changesOf(before, after, { shown: ['answer'] });
      await this.audit.record({ action: 'testimonial.answered', subject: { id }, changes });
      this.changes.invalidate([allTestimonials]);
      return toTestimonial(after);
    });
  }

  /**
   * Deletes a testimonial. `NotFound` if there is none, and under the hardened policy `Forbidden` for anyone but its
   * owner or an admin.
   */
  async remove(id: number, caller: CallerIdentity | null): Promise<void> {
    await this.unitOfWork.run(async () => {
      const before = found(await this.repository.lock(id), 'Testimonial');
      const sentence = 'Only the owner of a testimonial or an admin may delete it';
      this.policy.assertOwnerOrAdmin(caller, before.user_id, sentence);
      await this.repository.remove(id);
      const changes = changesOf(before, null, { shown: ['user_id', ...audited.shown] });
      await this.audit.record({ action: 'testimonial.deleted', subject: { id }, changes });
      this.changes.invalidate([allTestimonials]);
    });
  }

  private mayFeature(caller: CallerIdentity | null): boolean {
    return !this.policy.hardened || caller?.role === 'admin';
  }
}

function guestNameNeeded(): RuleBroken {
  return new RuleBroken(
    'A testimonial needs a user or guest details: this one has no user, so it needs guest_name',
    'guest_name_needed',
  );
}

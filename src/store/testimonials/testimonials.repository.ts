import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { FilteredStatement, type Given } from '../../database/filtered-statement.js';
import { searchedAccounts } from '../users/name-search.statements.js';
import { TestimonialEntity } from './testimonial.entity.js';
import type { TestimonialCreate, TestimonialUpdate } from './testimonials.dto.js';

/** A testimonial beside its user, whose columns are null if a guest wrote it. */
export interface TestimonialRow {
  id: number;
  user_id: string | null;
  guest_name: string | null;
  guest_role: string | null;
  guest_avatar_url: string | null;
  content: string;
  rating: number;
  is_featured: boolean;
  created_at: Date;
  answer: string | null;
  answered_at: Date | null;
  username: string | null;
  first_name: string | null;
  last_name: string | null;
  user_avatar_url: string | null;
}

const columns =
  't.id, t.user_id, t.guest_name, t.guest_role, t.guest_avatar_url, t.content, t.rating, t.is_featured, t.created_at, ' +
  't.answer, t.answered_at, u.username, u.first_name, u.last_name, u.avatar_url AS user_avatar_url';

/** Only the index finds the page, and only the page's rows are read. */
function pageSql(condition: string): string {
  return `SELECT ${columns}
     FROM (SELECT id FROM testimonials ${condition} ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT $2) AS listed
     JOIN testimonials t USING (id)
     LEFT JOIN users u ON u.id = t.user_id
    ORDER BY t.created_at DESC, t.id DESC`;
}

const page = statement('testimonials.page', pageSql(''));
const featuredPage = statement('testimonials.featured-page', pageSql('WHERE is_featured'));

/** SQL of the ids of the testimonials that have a text in them, or are by an account of such a name. */
const searchedTestimonials = (searched: string): string => `
  SELECT id FROM testimonials WHERE lower(coalesce(guest_name, '') || ' ' || content) LIKE (${searched}::text[])[1]
   UNION
  SELECT id FROM testimonials WHERE user_id = ANY (ARRAY(${searchedAccounts(searched)}))`;

const conditions = {
  search: (value: string) => `id = ANY (ARRAY(${searchedTestimonials(value)}))`,
  featured: 'is_featured',
};

/** The newest testimonials that the filters let through. */
export const foundTestimonials = new FilteredStatement('testimonials.found', conditions, (where) =>
  pageSql(`WHERE true${where}`),
);

const countFound = new FilteredStatement(
  'testimonials.count-found',
  conditions,
  (where) => `SELECT count(*)::integer AS count FROM testimonials WHERE true${where}`,
);

type FoundTestimonials = Given<keyof typeof conditions>;

const byId = statement(
  'testimonials.by-id',
  `SELECT ${columns} FROM testimonials t LEFT JOIN users u ON u.id = t.user_id WHERE t.id = $1`,
);

const lock = statement(
  'testimonials.lock',
  `SELECT ${columns} FROM testimonials t LEFT JOIN users u ON u.id = t.user_id WHERE t.id = $1 FOR NO KEY UPDATE OF t`,
);

/** The lock on the author blocks the deletion of their account, which then finds this testimonial. */
const insert = statement(
  'testimonials.insert',
  `WITH author AS (
          SELECT id, username, first_name, last_name, avatar_url FROM users
           WHERE id = $1 AND deleted_at IS NULL FOR SHARE),
        written AS (
          INSERT INTO testimonials (user_id, content, rating, is_featured)
          SELECT author.id, $2, $3, $4 FROM author RETURNING *)
   SELECT ${columns} FROM written t CROSS JOIN author u`,
);

/** Null leaves the first three columns as they are; a flag says whether each of the others changes. */
const update = statement(
  'testimonials.update',
  `WITH changed AS (
          UPDATE testimonials
             SET content = coalesce($2, content),
                 rating = coalesce($3, rating),
                 is_featured = coalesce($4, is_featured),
                 guest_name = CASE WHEN $5 THEN $6 ELSE guest_name END,
                 guest_role = CASE WHEN $7 THEN $8 ELSE guest_role END,
                 guest_avatar_url = CASE WHEN $9 THEN $10 ELSE guest_avatar_url END
           WHERE id = $1 RETURNING *)
   SELECT ${columns} FROM changed t LEFT JOIN users u ON u.id = t.user_id`,
);

const answer = statement(
  'testimonials.answer',
  `WITH answered AS (
          UPDATE testimonials SET answer = $2, answered_at = CASE WHEN $2::text IS NOT NULL THEN now() END
           WHERE id = $1 RETURNING *)
   SELECT ${columns} FROM answered t LEFT JOIN users u ON u.id = t.user_id`,
);

@Injectable()
export class TestimonialsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(TestimonialEntity) private readonly testimonials: Repository<TestimonialEntity>,
  ) {}

  count(featuredOnly: boolean): Promise<number> {
    return this.testimonials.countBy(featuredOnly ? { isFeatured: true } : {});
  }

  page(skip: number, limit: number, featuredOnly: boolean): Promise<TestimonialRow[]> {
    return this.database.rows<TestimonialRow>(featuredOnly ? featuredPage : page, [skip, limit]);
  }

  /** A page of the testimonials that the filters let through, newest first. */
  foundPage(skip: number, limit: number, filter: FoundTestimonials): Promise<TestimonialRow[]> {
    const { statement: sql, values } = foundTestimonials.of([skip, limit], filter);
    return this.database.rows<TestimonialRow>(sql, values);
  }

  async countFound(filter: FoundTestimonials): Promise<number> {
    const { statement: sql, values } = countFound.of([], filter);
    return (await this.database.one<{ count: number }>(sql, values)).count;
  }

  byId(id: number): Promise<TestimonialRow | null> {
    return this.database.row<TestimonialRow>(byId, [id]);
  }

  /** A testimonial, or null; locks it until the unit of work ends. */
  lock(id: number): Promise<TestimonialRow | null> {
    return this.database.row<TestimonialRow>(lock, [id]);
  }

  /** The written testimonial, or null if the user's account is gone. */
  insert(userId: string, { content, rating, is_featured }: TestimonialCreate): Promise<TestimonialRow | null> {
    return this.database.row<TestimonialRow>(insert, [userId, content, rating, is_featured]);
  }

  /** Changes the given fields and returns the testimonial, or null if there is none. */
  update(id: number, changes: TestimonialUpdate): Promise<TestimonialRow | null> {
    const { content, rating, is_featured, guest_name, guest_role, guest_avatar_url } = changes;
    const guest = [guest_name, guest_role, guest_avatar_url].flatMap((value) => [value !== undefined, value ?? null]);
    return this.database.row<TestimonialRow>(update, [
      id,
      content ?? null,
      rating ?? null,
      is_featured ?? null,
      ...guest,
    ]);
  }

  /** Writes the shop's answer to a testimonial, or removes it, and returns the testimonial, or null if there is none. */
  answer(id: number, text: string | null): Promise<TestimonialRow | null> {
    return this.database.row<TestimonialRow>(answer, [id, text]);
  }

  /** Deletes a testimonial. */
  async remove(id: number): Promise<void> {
    await this.testimonials.delete({ id });
  }
}

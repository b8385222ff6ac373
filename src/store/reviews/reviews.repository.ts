import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { QueryResultRow } from 'pg';
import { Repository } from 'typeorm';
import { Database, statement } from '../../database/database.js';
import { FilteredStatement, type Given } from '../../database/filtered-statement.js';
import { isoTimestamp } from '../../database/iso-timestamp.js';
import { rowJson } from '../../database/row-json.statements.js';
import { customerId, customerJson, writeEventsSql } from '../events/store-events.statements.js';
import { searchedAccounts } from '../users/name-search.statements.js';
import { ReviewEntity } from './review.entity.js';
import type { AdminReview } from './admin-reviews.dto.js';
import type { ProductStats, ReviewCreate } from './reviews.dto.js';

/** A page of reviews as JSON, and the number of reviews in it. */
interface ReviewPage {
  count: number;
  body: string;
}

/** A review beside its author. */
export interface ReviewRow {
  id: number;
  product_id: number;
  user_id: string;
  rating: number;
  title: string | null;
  content: string | null;
  image_url: string | null;
  created_at: Date;
  answer: string | null;
  answered_at: Date | null;
  username: string;
  first_name: string | null;
  last_name: string | null;
  avatar_url: string | null;
}

/** A row for an existing product; its review and user may be missing. */
type MaybeReviewRow = ReviewRow | ({ [Column in keyof ReviewRow]: null } & { username: string | null });

type InsertedReview = ReviewRow | 'duplicate' | 'nobody' | null;

const columns =
  'r.id, r.product_id, r.user_id, r.rating, r.title, r.content, r.image_url, r.created_at, r.answer, ' +
  'r.answered_at, u.username, u.first_name, u.last_name, u.avatar_url';

/** A page of a product's reviews as JSON, and their number; no row if there is no such product. */
export const page = statement(
  'reviews.page',
  `SELECT listed.*
     FROM products p
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS count, coalesce(json_agg(row_to_json(review)), '[]')::text AS body
        FROM (SELECT r.id, r.product_id, r.user_id, r.rating, r.title, r.content, r.image_url,
                     ${isoTimestamp('r.created_at')} AS created_at,
                     r.answer, ${isoTimestamp('r.answered_at')} AS answered_at,
                     ${rowJson('u.id, u.username, u.first_name, u.last_name, u.avatar_url')} AS "user"
                FROM (SELECT * FROM reviews WHERE product_id = $1 ORDER BY created_at DESC, id DESC
                      OFFSET (SELECT $2::bigint) LIMIT (SELECT $3::bigint)) AS r
                JOIN users u ON u.id = r.user_id
               ORDER BY r.created_at DESC, r.id DESC) AS review) AS listed
    WHERE p.id = $1 AND p.deleted_at IS NULL AND p.status = 'published'`,
);

/**
 * Returns no row if there is no such product, no username where the author's account is gone, and no review where the
 * author has already reviewed it. The lock on the author blocks the deletion of their account, which then finds this
 * review.
 */
const insert = statement(
  'reviews.insert',
  `WITH author AS (
          SELECT id, username, first_name, last_name, avatar_url FROM users
           WHERE id = $2 AND deleted_at IS NULL FOR SHARE),
        product AS (SELECT id FROM products WHERE id = $1 AND deleted_at IS NULL AND status = 'published'),
        written AS (
          INSERT INTO reviews (product_id, user_id, rating, title, content, image_url)
          SELECT product.id, author.id, $3, $4, $5, $6 FROM product, author
              ON CONFLICT (product_id, user_id) DO NOTHING
          RETURNING *),
        ${writeEventsSql(`
          SELECT 'review.created', r.user_id,
                 jsonb_build_object('review', ${rowJson('r.id, r.product_id, r.rating, r.title, r.content, r.image_url')},
                                    'customer', ${customerId('r.user_id')}),
                 ${customerJson()}
            FROM written r JOIN users u ON u.id = r.user_id`)}
   SELECT ${columns} FROM product LEFT JOIN author u ON true LEFT JOIN written r ON true`,
);

// Unspecified: which orders count; those that stand, so that an undone order leaves no trace.
const stats = statement(
  'reviews.stats',
  `SELECT p.id AS product_id, reviewed.average_rating, reviewed.review_count, ordered.order_count, p.stock
     FROM products p
    CROSS JOIN (SELECT coalesce(round(avg(rating), 2), 0) AS average_rating, count(*)::integer AS review_count
                  FROM reviews WHERE product_id = $1) AS reviewed
    CROSS JOIN (SELECT count(*)::integer AS order_count
                  FROM order_items i JOIN orders o ON o.id = i.order_id
                 WHERE i.product_id = $1 AND o.status NOT IN ('cancelled', 'refunded')) AS ordered
    WHERE p.id = $1 AND p.deleted_at IS NULL AND p.status = 'published'`,
);

const adminColumns =
  'r.id, r.product_id, p.name AS product_name, r.user_id, u.username, r.rating, r.title, r.content, r.image_url, ' +
  'r.created_at, r.answer, r.answered_at';
const withNames = 'JOIN products p ON p.id = r.product_id JOIN users u ON u.id = r.user_id';

const byId = statement('reviews.admin-by-id', `SELECT ${adminColumns} FROM reviews r ${withNames} WHERE r.id = $1`);

const lock = statement(
  'reviews.admin-lock',
  `SELECT ${adminColumns} FROM reviews r ${withNames} WHERE r.id = $1 FOR NO KEY UPDATE OF r`,
);

const answer = statement(
  'reviews.answer',
  `WITH answered AS (
          UPDATE reviews SET answer = $2, answered_at = CASE WHEN $2::text IS NOT NULL THEN now() END
           WHERE id = $1 RETURNING *)
   SELECT ${adminColumns} FROM answered r ${withNames}`,
);

/**
 * SQL of the ids of the reviews that have a text in them, or are of a product or by an account of such a name. It is a query of
 * its own: else the planner may go through all reviews in the order of the list, and look into each.
 */
const searchedReviews = (searched: string): string => `
  SELECT id FROM reviews
   WHERE lower(coalesce(title, '') || ' ' || coalesce(content, '')) LIKE (${searched}::text[])[1]
   UNION
  SELECT id FROM reviews WHERE user_id = ANY (ARRAY(${searchedAccounts(searched)}))
   UNION
  SELECT id FROM reviews
   WHERE product_id = ANY (ARRAY(
           SELECT product_id FROM product_search WHERE name_key LIKE search_pattern((${searched}::text[])[2])))`;

const conditions = {
  search: (value: string) => `id = ANY (ARRAY(${searchedReviews(value)}))`,
  rating: (value: string) => `rating = ${value}`,
  productId: (value: string) => `product_id = ${value}`,
};

/** The newest reviews that the filters let through. */
export const allReviews = new FilteredStatement(
  'reviews.all',
  conditions,
  (where) => `
   SELECT ${adminColumns}
       FROM (SELECT * FROM reviews WHERE true${where} ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT $2) AS r
            ${withNames}
      ORDER BY r.created_at DESC, r.id DESC`,
);

const countOfAll = new FilteredStatement(
  'reviews.count-all',
  conditions,
  (where) => `SELECT count(*)::integer AS count FROM reviews WHERE true${where}`,
);

type AllReviewsFilter = Given<keyof typeof conditions>;

function isReview(row: MaybeReviewRow): row is ReviewRow {
  return row.id !== null;
}

@Injectable()
export class ReviewsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ReviewEntity) private readonly reviews: Repository<ReviewEntity>,
  ) {}

  /** A page of a product's reviews, newest first, or null if there is no such product. */
  page(productId: number, skip: number, limit: number): Promise<ReviewPage | null> {
    return this.database.shortReadOfRow<ReviewPage & QueryResultRow>(page, [productId, skip, limit]);
  }

  /** A page of all reviews, newest first, as the filter narrows them. */
  pageOfAll(skip: number, limit: number, filter: AllReviewsFilter): Promise<AdminReview[]> {
    const { statement: sql, values } = allReviews.of([skip, limit], filter);
    return this.database.rows<AdminReview & Record<string, unknown>>(sql, values);
  }

  async countAll(filter: AllReviewsFilter): Promise<number> {
    const { statement: sql, values } = countOfAll.of([], filter);
    return (await this.database.one<{ count: number }>(sql, values)).count;
  }

  /** The number of a product's reviews: beside each page that is not the last, so it goes the way of short reads. */
  async count(productId: number): Promise<number> {
    const { statement: sql, values } = countOfAll.of([], { productId });
    return (await this.database.shortReadOfRow<{ count: number }>(sql, values))?.count ?? 0;
  }

  /**
   * The written review, or null if there is no such product; `'duplicate'` where the user already has one, and
   * `'nobody'` where their account is gone.
   */
  async insert(productId: number, userId: string, review: ReviewCreate): Promise<InsertedReview> {
    const { rating, title = null, content = null, image_url = null } = review;
    const values = [productId, userId, rating, title, content, image_url];
    const row = await this.database.row<MaybeReviewRow>(insert, values);
    if (row === null || isReview(row)) return row;
    return row.username === null ? 'nobody' : 'duplicate';
  }

  stats(productId: number): Promise<ProductStats | null> {
    return this.database.row<ProductStats>(stats, [productId]);
  }

  byId(id: number): Promise<ReviewEntity | null> {
    return this.reviews.findOneBy({ id });
  }

  /** A review beside the names of its product and author, or null. */
  withNames(id: number): Promise<AdminReview | null> {
    return this.database.row<AdminReview & QueryResultRow>(byId, [id]);
  }

  /** The same; locks it until the unit of work ends. */
  lock(id: number): Promise<AdminReview | null> {
    return this.database.row<AdminReview & QueryResultRow>(lock, [id]);
  }

  /** Writes the shop's answer to a review, or removes it, and returns the review, or null if there is none. */
  answer(id: number, text: string | null): Promise<AdminReview | null> {
    return this.database.row<AdminReview & QueryResultRow>(answer, [id, text]);
  }

  /** Deletes a review; returns whether there was one. */
  async remove(id: number): Promise<boolean> {
    return (await this.reviews.delete({ id })).affected === 1;
  }
}

import { statement } from '../../database/database.js';

const mostCounted = 10_000;

/** All categories with the number of listings that each has, or one below it. */
export const tree = statement(
  'categories.tree',
  `SELECT c.id, c.parent_id, c.slug, c.name, c.description, c.image_url,
          (SELECT count(*)::integer
             FROM (SELECT FROM product_listings
                    WHERE keys && ARRAY(SELECT 'category:' || own.id FROM categories own
                                         WHERE own.id = c.id OR own.parent_id = c.id)
                    LIMIT ${mostCounted}) AS listing) AS product_count
     FROM categories c
    ORDER BY c.position, lower(c.name) COLLATE names_in_order, c.id`,
);

/** The keys of listings in these categories, and in those below. */
export const keys = statement(
  'categories.keys',
  `SELECT 'category:' || c.id AS key
     FROM categories c LEFT JOIN categories above ON above.id = c.parent_id
    WHERE c.slug = ANY ($1::text[]) OR above.slug = ANY ($1::text[])`,
);

export const bySlug = statement(
  'categories.by-slug',
  `SELECT c.id, c.slug, c.name, c.description, c.image_url, above.slug AS parent, c.position,
          EXISTS (SELECT FROM categories below WHERE below.parent_id = c.id) AS has_children
     FROM categories c LEFT JOIN categories above ON above.id = c.parent_id
    WHERE c.slug = $1`,
);

/** Adds a category and returns its slug, made from its name where none is given. */
export const insert = statement(
  'categories.insert',
  `INSERT INTO categories (slug, name, description, image_url, parent_id, position)
   VALUES (coalesce($1, nullif(slug_of($2), ''), 'category-' || floor(random() * 1e9)::bigint), $2, $3, $4, $5, $6)
   RETURNING slug`,
);

/** One change of categories at a time, so that the tree keeps its two levels. */
export const lockAll = statement('categories.lock-all', 'LOCK TABLE categories IN SHARE ROW EXCLUSIVE MODE');

export const count = statement('categories.count', 'SELECT count(*)::integer AS count FROM categories');

/** Whether a category has more products than $2. */
export const hasMoreThan = statement(
  'categories.has-more-than',
  'SELECT count(*) > $2 AS more FROM (SELECT FROM product_categories WHERE category_id = $1 LIMIT $2::integer + 1) AS one',
);

import { statement } from '../../database/database.js';

/** The slugs that lead to a product, the present one included. */
const mostSlugs = 20;

export const clearImages = statement(
  'product-details.clear-images',
  'DELETE FROM product_images WHERE product_id = $1',
);

export const addImages = statement(
  'product-details.add-images',
  `INSERT INTO product_images (product_id, position, url, alt)
   SELECT $1, ordinality - 1, url, alt
     FROM ROWS FROM (json_to_recordset($2) AS (url text, alt text)) WITH ORDINALITY`,
);

export const categoryIds = statement(
  'product-details.category-ids',
  'SELECT id, slug FROM categories WHERE slug = ANY ($1::text[]) ORDER BY id FOR KEY SHARE',
);

export const leaveCategories = statement(
  'product-details.leave-categories',
  'DELETE FROM product_categories WHERE product_id = $1 AND category_id <> ALL ($2::integer[])',
);

export const enterCategories = statement(
  'product-details.enter-categories',
  `INSERT INTO product_categories (product_id, category_id) SELECT $1, id FROM unnest($2::integer[]) AS id
   ON CONFLICT DO NOTHING`,
);

export const takeSlug = statement(
  'product-details.take-slug',
  `INSERT INTO product_slugs AS s (slug, product_id) VALUES ($1, $2)
   ON CONFLICT (slug) DO UPDATE SET created_at = clock_timestamp() WHERE s.product_id = excluded.product_id
   RETURNING slug`,
);

export const forgetSlugs = statement(
  'product-details.forget-slugs',
  `DELETE FROM product_slugs WHERE slug = ANY (ARRAY(
     SELECT old.slug FROM unnest($1::integer[]) AS id,
            LATERAL (SELECT slug FROM product_slugs WHERE product_id = id ORDER BY created_at DESC OFFSET ${mostSlugs}) AS old))`,
);

/** One of the groups $1 of which the shop shows more than $2 products. */
export const overfullGroup = statement(
  'product-details.overfull-group',
  `SELECT group_id FROM product_listings WHERE group_id = ANY ($1::uuid[])
    GROUP BY group_id HAVING count(*) > $2 ORDER BY group_id LIMIT 1`,
);

export const leaveCarts = statement(
  'product-details.leave-carts',
  'DELETE FROM cart_items WHERE product_id = ANY ($1::integer[])',
);

/** Puts products into categories, in an order, so that of two at once none waits for the other in a circle. */
export const enterTogether = statement(
  'product-details.enter-together',
  `INSERT INTO product_categories (product_id, category_id)
   SELECT product_id, category_id FROM unnest($1::integer[]) AS product_id, unnest($2::integer[]) AS category_id
    ORDER BY product_id, category_id
   ON CONFLICT DO NOTHING`,
);

export const leaveTogether = statement(
  'product-details.leave-together',
  'DELETE FROM product_categories WHERE product_id = ANY ($1::integer[]) AND category_id = ANY ($2::integer[])',
);

/** One of the products that is in more categories than $2. */
export const overfull = statement(
  'product-details.overfull',
  `SELECT product_id AS id FROM product_categories WHERE product_id = ANY ($1::integer[])
    GROUP BY product_id HAVING count(*) > $2 ORDER BY product_id LIMIT 1`,
);

export const idBySlug = statement(
  'product-details.id-by-slug',
  'SELECT product_id AS id FROM product_slugs WHERE slug = $1',
);

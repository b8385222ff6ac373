import { statement } from '../../database/database.js';
import { productColumns } from './product-columns.statements.js';

/** A page of the catalog after an id, by id. */
export const pageAfter = statement(
  'product-files.page-after',
  `SELECT ${productColumns} FROM products p WHERE p.deleted_at IS NULL AND p.id > $1 ORDER BY p.id LIMIT $2`,
);

/** The listed ones of these products. */
export const listed = statement(
  'product-files.listed',
  `SELECT ${productColumns} FROM products p WHERE p.id = ANY ($1::integer[]) AND p.deleted_at IS NULL`,
);

/** The same, locked by id, as checkouts lock them too. */
export const locked = statement(
  'product-files.locked',
  `SELECT ${productColumns} FROM products p WHERE p.id = ANY ($1::integer[]) AND p.deleted_at IS NULL
    ORDER BY p.id FOR NO KEY UPDATE`,
);

const fields =
  'id integer, name text, description text, price numeric, stock integer, color text, material text, size text, image_url text, ' +
  'group_id uuid, slug text, sku text, status text';

/** Adds products in the order of the list. */
export const insertAll = statement(
  'product-files.insert',
  `INSERT INTO products AS p (name, description, price, stock, color, material, size, image_url, group_id, slug, sku, status)
   SELECT name, description, price, stock, color, material, size, image_url, group_id, slug, sku, status
     FROM ROWS FROM (json_to_recordset($1) AS (${fields})) WITH ORDINALITY ORDER BY ordinality
   RETURNING ${productColumns}`,
);

/** Updates products. It writes names and descriptions only where they change, since both are indexed. */
export const updateAll = statement(
  'product-files.update',
  `UPDATE products p
      SET price = f.price, stock = f.stock, color = f.color, material = f.material, size = f.size,
          image_url = f.image_url, group_id = f.group_id, sku = f.sku, status = f.status
     FROM json_to_recordset($1) AS f (${fields}) WHERE p.id = f.id`,
);

/** Gives products the slugs that they had before, or nobody has; returns those that it could give. */
export const moveSlugs = statement(
  'product-files.move-slugs',
  `WITH asked AS (SELECT id, slug FROM json_to_recordset($1) AS f (id integer, slug text)),
        taken AS (
          INSERT INTO product_slugs AS s (slug, product_id) SELECT slug, id FROM asked ORDER BY slug
          ON CONFLICT (slug) DO UPDATE SET created_at = clock_timestamp() WHERE s.product_id = excluded.product_id
          RETURNING slug, product_id)
   UPDATE products p SET slug = taken.slug FROM taken WHERE p.id = taken.product_id RETURNING p.slug`,
);

/** The galleries of products $1 but for their own pictures, which stay with their alternative texts. */
export const clearGalleries = statement(
  'product-files.clear-galleries',
  'DELETE FROM product_images WHERE product_id = ANY ($1::integer[]) AND position > 0',
);

export const addGalleries = statement(
  'product-files.add-galleries',
  `INSERT INTO product_images (product_id, position, url, alt)
   SELECT id, position, url, alt FROM json_to_recordset($1) AS f (id integer, position integer, url text, alt text)`,
);

/** Takes products $1 out of all categories but those of the pairs $2. */
export const leaveCategories = statement(
  'product-files.leave-categories',
  `DELETE FROM product_categories pc
    WHERE product_id = ANY ($1::integer[])
      AND NOT EXISTS (SELECT FROM json_to_recordset($2) AS f (id integer, category integer)
                       WHERE f.id = pc.product_id AND f.category = pc.category_id)`,
);

export const enterCategories = statement(
  'product-files.enter-categories',
  `INSERT INTO product_categories (product_id, category_id)
   SELECT id, category FROM json_to_recordset($1) AS f (id integer, category integer) ORDER BY id, category
   ON CONFLICT DO NOTHING`,
);

/** Sets prices and statuses, where they change. */
export const reprice = statement(
  'product-files.reprice',
  `UPDATE products p SET price = f.price, status = f.status
     FROM json_to_recordset($1) AS f (id integer, price numeric, status text)
    WHERE p.id = f.id AND (p.price, p.status) IS DISTINCT FROM (f.price, f.status)`,
);

export const describeAll = statement(
  'product-files.describe',
  `UPDATE products p SET name = f.name, description = f.description
     FROM json_to_recordset($1) AS f (${fields}) WHERE p.id = f.id`,
);

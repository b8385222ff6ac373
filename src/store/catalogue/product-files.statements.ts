import { statement } from '../../database/database.js';

const columns = 'p.id, p.name, p.description, p.price, p.stock, p.color, p.material, p.size, p.image_url, p.created_at';

/** A page of the catalog after an id, by id. */
export const pageAfter = statement(
  'product-files.page-after',
  `SELECT ${columns} FROM products p WHERE p.deleted_at IS NULL AND p.id > $1 ORDER BY p.id LIMIT $2`,
);

/** The listed ones of these products. */
export const listed = statement(
  'product-files.listed',
  `SELECT ${columns} FROM products p WHERE p.id = ANY ($1::integer[]) AND p.deleted_at IS NULL`,
);

/** The same, locked by id, as checkouts lock them too. */
export const locked = statement(
  'product-files.locked',
  `SELECT ${columns} FROM products p WHERE p.id = ANY ($1::integer[]) AND p.deleted_at IS NULL
    ORDER BY p.id FOR NO KEY UPDATE`,
);

const fields =
  'id integer, name text, description text, price numeric, stock integer, color text, material text, size text, image_url text';

/** Adds products in the order of the list. */
export const insertAll = statement(
  'product-files.insert',
  `INSERT INTO products AS p (name, description, price, stock, color, material, size, image_url)
   SELECT name, description, price, stock, color, material, size, image_url
     FROM ROWS FROM (json_to_recordset($1) AS (${fields})) WITH ORDINALITY ORDER BY ordinality
   RETURNING ${columns}`,
);

/** Updates products. It writes names and descriptions only where they change, since both are indexed. */
export const updateAll = statement(
  'product-files.update',
  `UPDATE products p
      SET price = f.price, stock = f.stock, color = f.color, material = f.material, size = f.size,
          image_url = f.image_url
     FROM json_to_recordset($1) AS f (${fields}) WHERE p.id = f.id`,
);

export const describeAll = statement(
  'product-files.describe',
  `UPDATE products p SET name = f.name, description = f.description
     FROM json_to_recordset($1) AS f (${fields}) WHERE p.id = f.id`,
);

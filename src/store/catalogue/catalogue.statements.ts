import { statement } from '../../database/database.js';

const productColumns =
  'p.id, p.name, p.description, p.price, p.stock, p.color, p.material, p.size, p.image_url, p.created_at';

/**
 * The page is counted off on the index of listed ids alone, and only its own rows are read. As an array of ids, so that
 * a plan made without knowing $1 and $2 reads them by id too; a join would read the whole table then.
 */
export const page = statement(
  'catalogue.page',
  `SELECT ${productColumns}
     FROM products p
    WHERE p.id = ANY (ARRAY(SELECT id FROM products WHERE deleted_at IS NULL ORDER BY id OFFSET $1 LIMIT $2))
    ORDER BY p.id`,
);

export const byId = statement(
  'catalogue.by-id',
  `SELECT ${productColumns} FROM products p WHERE p.id = $1 AND p.deleted_at IS NULL`,
);

/**
 * $1 is the text, $2 the same as a LIKE pattern with its own wildcards escaped. Each rank stops when the page is full: a
 * frequent text is found by walking the ids, a rare one in the index of trigrams. Which of the two, only a plan made
 * for this very text can tell, so the statement has no name under which its plan would be kept.
 */
export const search = `
  WITH exact AS (
    SELECT id FROM products WHERE deleted_at IS NULL AND lower(name) = lower($1) ORDER BY id LIMIT $3::bigint + $4
  ), named AS (
    SELECT id FROM products
     WHERE deleted_at IS NULL AND name ILIKE $2 AND lower(name) <> lower($1)
     ORDER BY id LIMIT $3::bigint + $4
  ), described AS (
    SELECT id FROM products
     WHERE deleted_at IS NULL AND description ILIKE $2 AND name NOT ILIKE $2
       AND (SELECT count(*) FROM named) < $3::bigint + $4
     ORDER BY id LIMIT $3::bigint + $4
  ), matching AS (
    SELECT 0 AS rank, id FROM exact UNION ALL SELECT 1, id FROM named UNION ALL SELECT 2, id FROM described
     ORDER BY rank, id OFFSET $3 LIMIT $4
  )
  SELECT ${productColumns} FROM matching JOIN products p USING (id) ORDER BY rank, p.id`;

const sortColumns = { name: 'lower(p.name)', price: 'p.price', created_at: 'p.created_at', stock: 'p.stock' } as const;
export type ProductSortField = keyof typeof sortColumns;
export const productSortFields = Object.keys(sortColumns) as ProductSortField[];

/** $1 is the colour, $2 and $3 the page. */
export function byColor(sort: ProductSortField, direction: 'ASC' | 'DESC'): string {
  return `
    SELECT ${productColumns} FROM products p
     WHERE p.deleted_at IS NULL AND lower(p.color) = lower($1)
     ORDER BY ${sortColumns[sort]} ${direction}, p.id
    OFFSET $2 LIMIT $3`;
}

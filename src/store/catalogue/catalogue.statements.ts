import { statement } from '../../database/database.js';
import { boundedRows, shopPageBytes } from '../../database/bounded-rows.statements.js';
import { detailColumns, productColumns } from './product-columns.statements.js';
import type { ProductSortField } from './product-sort-fields.js';
import { mostPlanned, type SearchWords } from './search-words.js';

/**
 * Only the key of the listings finds the page, and only the page's rows are read. The ids form an array, so that a plan
 * made without the values of $1 and $2 reads them by id too; a join would then read the whole table. The planner does
 * not see these values: it would plan each request anew for them, which takes half as long as the page.
 */
export const page = statement(
  'catalogue.page',
  `SELECT ${productColumns}
     FROM products p
    WHERE p.id = ANY (ARRAY(
            SELECT product_id FROM product_listings ORDER BY product_id
            OFFSET (SELECT $1::bigint) LIMIT (SELECT $2::bigint)))
    ORDER BY p.id`,
);

export const count = statement('catalogue.count', 'SELECT count(*)::integer AS count FROM product_listings');

/** All that admins see: drafts too. */
export const countWithDrafts = statement(
  'catalogue.count-with-drafts',
  'SELECT count(*)::integer AS count FROM products WHERE deleted_at IS NULL',
);

/** As many of a page's products as fit one: a thousand may be asked for, each with a long description. */
function bounded(rows: string, order: (row: string) => string): string {
  const size = `500 + octet_length(coalesce(e.description, ''))`;
  return boundedRows(rows, order('e'), size, shopPageBytes);
}

const byStock = (row: string) => `${row}.stock, ${row}.id`;

/** The products that have at most $3 pieces left, in the order of the index of stocks. */
export const lowStock = statement(
  'catalogue.low-stock',
  bounded(
    `SELECT ${productColumns} FROM products p
      WHERE p.deleted_at IS NULL AND p.stock <= $3 ORDER BY ${byStock('p')} OFFSET $1 LIMIT $2`,
    byStock,
  ),
);

/** The values of a search's words, which follow a statement's other values. */
export function valuesOf({ words, more }: SearchWords): unknown[] {
  return more.length === 0 ? [...words] : [...words, more];
}

/**
 * Whether a column has all words of a search, whose values follow $`before`. The words beyond the tenth only filter
 * rows: within CASE the planner neither searches an index for them nor guesses how many rows have them.
 */
export function hasAll(column: string, { words, more }: SearchWords, before: number): string {
  const has = words.map((_, n) => `${column} LIKE search_pattern($${before + n + 1})`);
  const patterns = `ARRAY(SELECT search_pattern(word) FROM unnest($${before + words.length + 1}::text[]) AS word)`;
  const hasMore = `CASE WHEN ${column} LIKE ALL (${patterns}) THEN true ELSE false END`;
  return (more.length === 0 ? has : [...has, hasMore]).join(' AND ');
}

function lowStockWith(words: SearchWords, before: number): string {
  return `FROM products p JOIN product_search s ON s.product_id = p.id
    WHERE p.deleted_at IS NULL AND p.stock <= $1 AND ${hasAll('s.text_key', words, before)}`;
}

/** The products of low stock that have all words. Its values: the most that may be left, the page, the words. */
export function lowStockMatches(words: SearchWords): string {
  const rows = `SELECT ${productColumns} ${lowStockWith(words, 3)} ORDER BY ${byStock('p')} OFFSET $2 LIMIT $3`;
  return bounded(rows, byStock);
}

/** How many these are. Its values: the most that may be left, the words. */
export function countLowStockMatches(words: SearchWords): string {
  return `SELECT count(*)::integer AS count ${lowStockWith(words, 1)}`;
}

export const countLowStock = statement(
  'catalogue.count-low-stock',
  `SELECT count(*)::integer AS count FROM products WHERE deleted_at IS NULL AND stock <= $1`,
);

export const byId = statement(
  'catalogue.by-id',
  `SELECT ${detailColumns} FROM products p WHERE p.id = $1 AND p.deleted_at IS NULL AND p.status = 'published'`,
);

/** The same of drafts too. */
export const byIdForAdmin = statement(
  'catalogue.by-id-for-admin',
  `SELECT ${detailColumns} FROM products p WHERE p.id = $1 AND p.deleted_at IS NULL`,
);

export const lock = statement(
  'catalogue.lock',
  `SELECT ${detailColumns} FROM products p WHERE p.id = $1 AND p.deleted_at IS NULL FOR NO KEY UPDATE`,
);

/** Whose search it is: that of an admin finds drafts too. */
export interface Sought {
  withDrafts: boolean;
}

/**
 * The search for these words: $1 is the whole text, $2 and $3 the page, the words follow. Each rank stops when the
 * page is full: frequent words are found by walking the ids, rare ones in the index of trigrams. Only a plan for these
 * very words can choose between the two, so the statement has no name under which PostgreSQL would keep a plan.
 */
export function search(words: SearchWords, { withDrafts }: Sought): string {
  const has = (column: string) => `${hasAll(column, words, 3)}${withDrafts ? '' : ' AND is_public'}`;
  const hasName = hasAll('name_key', words, 3);
  return `
  WITH exact AS (
    SELECT product_id AS id FROM product_search
     WHERE name_key = search_key($1)${withDrafts ? '' : ' AND is_public'} ORDER BY product_id LIMIT $2::bigint + $3
  ), named AS (
    SELECT product_id AS id FROM product_search
     WHERE ${has('name_key')} AND name_key <> search_key($1)
     ORDER BY product_id LIMIT $2::bigint + $3
  ), described AS (
    SELECT product_id AS id FROM product_search
     WHERE ${has('text_key')} AND NOT (${hasName})
       AND (SELECT count(*) FROM named) < $2::bigint + $3
     ORDER BY product_id LIMIT $2::bigint + $3
  ), matching AS (
    SELECT 0 AS rank, id FROM exact UNION ALL SELECT 1, id FROM named UNION ALL SELECT 2, id FROM described
     ORDER BY rank, id OFFSET $2 LIMIT $3
  )
  SELECT ${productColumns} FROM matching JOIN products p USING (id) ORDER BY rank, p.id`;
}

function searchNamesFor(wordCount: number): string {
  const has = Array.from({ length: wordCount }, (_, n) => `strpos(name_key, (SELECT search_key($${n + 4}))) > 0`);
  return `
  WITH asked AS MATERIALIZED (
    SELECT search_key($1) AS name, $2::bigint + $3 AS "end"
  ), exact AS (
    SELECT product_id AS id FROM product_search
     WHERE name_key = (SELECT name FROM asked) AND is_public ORDER BY product_id LIMIT (SELECT "end" FROM asked)
  ), named AS (
    SELECT product_id AS id FROM product_search
     WHERE CASE WHEN ${has.join(' AND ')} THEN is_public AND name_key <> (SELECT name FROM asked) ELSE false END
     ORDER BY product_id LIMIT (SELECT "end" FROM asked)
  ), page AS (
    SELECT ARRAY(
      SELECT id FROM (SELECT 0 AS rank, id FROM exact UNION ALL SELECT 1, id FROM named) AS matching
       ORDER BY rank, id OFFSET (SELECT $2::bigint) LIMIT (SELECT $3::bigint)) AS ids
  )
  SELECT ${productColumns} FROM products p
   WHERE p.id = ANY ((SELECT ids FROM page)::integer[]) ORDER BY array_position((SELECT ids FROM page), p.id)`;
}

/**
 * The first two ranks of the search, by the number of its words, with its parameters. For words that many names have,
 * so that one plan does: it walks the ids. Within CASE the planner does not guess how few names have all the words: it
 * would read all of them for a guess of none.
 */
export const searchNames = Array.from({ length: mostPlanned + 1 }, (_, wordCount) =>
  wordCount === 0 ? null : statement(`catalogue.search-names-${wordCount}`, searchNamesFor(wordCount)),
);

/**
 * How many products have all of these words, which follow $1 and $2, counted no further than $1; and how many of these
 * have them in the name and are among the first $2 ids of the shop.
 */
export function countMatches(words: SearchWords, { withDrafts }: Sought): string {
  const has = (column: string) => hasAll(column, words, 2);
  return `
  SELECT count(*)::integer AS count,
         (count(*) FILTER (WHERE ${has('name_key')}
                             AND product_id < (SELECT min(product_id) FROM product_search) + $2::bigint))::integer AS near
    FROM (SELECT product_id, name_key FROM product_search
           WHERE ${has('text_key')}${withDrafts ? '' : ' AND is_public'} LIMIT $1) AS matching`;
}

/**
 * For each of so many words, up to $1 similar words of the shop, the most similar first: none where a product has the
 * word itself, nor for words of one or two letters, which resemble too many.
 */
export function alikeWords(wordCount: number): string {
  const lists = Array.from({ length: wordCount }, (_, n) => {
    const word = `$${n + 2}::text`;
    const had = `EXISTS (SELECT FROM product_search WHERE text_key LIKE search_pattern(${word}))`;
    return `CASE WHEN char_length(${word}) < 3 OR ${had} THEN '{}'
                 ELSE ARRAY(SELECT alike_words(search_key(${word}), $1)) END`;
  });
  return `SELECT json_build_array(${lists.join(', ')}) AS alike`;
}

const column = (name: string) => (row: string) => `${row}.${name}`;
const asNames = (name: string) => (row: string) => `lower(${row}.${name}) COLLATE names_in_order`;

const sortColumns = {
  id: column('id'),
  name: asNames('name'),
  description: asNames('description'),
  price: column('price'),
  stock: column('stock'),
  color: asNames('color'),
  material: asNames('material'),
  size: asNames('size'),
  image_url: column('image_url'),
  created_at: column('created_at'),
} as const satisfies Record<ProductSortField, (row: string) => string>;

/** The fields that a product may lack: those that lack it come last, in either direction. */
const nullable = new Set<ProductSortField>(['description', 'color', 'material', 'size', 'image_url']);

/**
 * The page $1, $2 of all products in an order that an index has. Without a name, so that it is planned for its page: a
 * plan for any page may sort all products.
 */
export function sortedPage(sort: 'id' | 'name' | 'price' | 'stock', direction: 'ASC' | 'DESC'): string {
  const order = (row: string) => `${sortColumns[sort](row)} ${direction}, ${row}.id ${direction}`;
  return bounded(
    `SELECT ${productColumns} FROM products p WHERE p.deleted_at IS NULL ORDER BY ${order('p')} OFFSET $1 LIMIT $2`,
    order,
  );
}

/** $1 is the color, $2 and $3 the page. */
export function byColor(sort: ProductSortField, direction: 'ASC' | 'DESC'): string {
  const nulls = nullable.has(sort) ? ' NULLS LAST' : '';
  const order = (row: string) => `${sortColumns[sort](row)} ${direction}${nulls}, ${row}.id`;
  return bounded(
    `SELECT ${productColumns} FROM products p
      WHERE p.deleted_at IS NULL AND p.status = 'published' AND lower(p.color) = lower($1) ORDER BY ${order('p')} OFFSET $2 LIMIT $3`,
    order,
  );
}

/** Takes a listed product out of the catalog and of every cart, at once: no cart keeps a product that is gone. Its slugs are free. */
export const remove = statement(
  'catalogue.remove',
  `WITH gone AS (UPDATE products SET deleted_at = now() WHERE id = $1 AND deleted_at IS NULL RETURNING id),
        lines AS (DELETE FROM cart_items WHERE product_id IN (SELECT id FROM gone)),
        slugs AS (DELETE FROM product_slugs WHERE product_id IN (SELECT id FROM gone))
   SELECT id FROM gone`,
);

export const countOfColor = statement(
  'catalogue.count-of-color',
  `SELECT count(*)::integer AS count FROM products
    WHERE deleted_at IS NULL AND status = 'published' AND lower(color) = lower($1)`,
);

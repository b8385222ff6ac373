import type { MigrationInterface, QueryRunner } from 'typeorm';

const productsAtOnce = 500;

/** Locks some products, so that a review that is written meanwhile is counted once, and lists them. */
const steps = `
CREATE FUNCTION complete_products(last_id integer, most integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  ids integer[] := ARRAY(SELECT id FROM products WHERE id > last_id ORDER BY id LIMIT most);
BEGIN
  PERFORM FROM products WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
  UPDATE products p SET slug = take_slug(p.id, p.name) WHERE id = ANY (ids) AND slug IS NULL AND deleted_at IS NULL;
  UPDATE products p
     SET review_count = rated.count, rating_sum = rated.sum
    FROM (SELECT product_id, count(*) AS count, sum(rating) AS sum FROM reviews WHERE product_id = ANY (ids)
           GROUP BY product_id) AS rated
   WHERE p.id = rated.product_id AND (p.review_count, p.rating_sum) IS DISTINCT FROM (rated.count, rated.sum);
  PERFORM list_products(ids);
  RETURN (SELECT max(id) FROM unnest(ids) AS id);
END $$;
`;

/** The index of article numbers, and the slugs, ratings and listings of the products that were there before. */
export class CatalogRows1764420000001 implements MigrationInterface {
  name = 'CatalogRows1764420000001';
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS products_sku_key');
    await runner.query(
      `CREATE UNIQUE INDEX CONCURRENTLY products_sku_key ON products (sku) WHERE sku IS NOT NULL AND deleted_at IS NULL`,
    );
    await runner.query('DROP FUNCTION IF EXISTS complete_products');
    await runner.query(steps);
    for (let last: number | null = 0; last !== null;) {
      const sql = 'SELECT complete_products($1, $2) AS last';
      const rows = (await runner.query(sql, [last, productsAtOnce])) as { last: number | null }[];
      last = rows[0]?.last ?? null;
    }
    await runner.query('DROP FUNCTION complete_products');
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only add: restore a backup of before instead'));
  }
}

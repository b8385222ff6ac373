import { statement } from '../../database/database.js';
import { rowJson } from '../../database/row-json.statements.js';
import { keyLifetime } from '../idempotency/idempotency-keys.statements.js';
import { maxLines, maxQuantity } from './cart.dto.js';
import { cartJson } from './cart.statements.js';

/** The answer to an earlier request of an Idempotency-Key. */
export const mergedBefore = statement(
  'cart.merged-before',
  `SELECT request_hash, response::text AS body FROM idempotency_keys
    WHERE user_id = $1 AND key = $2 AND created_at > now() - ${keyLifetime}`,
);

/**
 * Adds lines to the locked cart $1: $3 pieces each of the products $2, as far as the stock, the most of a product and the
 * most lines allow. A product that is sent twice takes of its room in the order of its lines. Keeps the answer under the
 * Idempotency-Key $5 of user $4 with the digest $6, unless that is null; `is_kept` says whether another request had it.
 */
export const mergeLines = statement(
  'cart.merge',
  `WITH sent AS MATERIALIZED (
     SELECT * FROM unnest($2::bigint[], $3::integer[]) WITH ORDINALITY AS one (product_id, quantity, place)),
   held AS MATERIALIZED (SELECT id, product_id, quantity FROM cart_items WHERE cart_id = $1),
   product AS MATERIALIZED (
     SELECT p.id, p.stock, greatest(least(p.stock, ${maxQuantity}) - coalesce(held.quantity, 0), 0) AS room,
            held.id IS NULL AS is_new
       FROM products p LEFT JOIN held ON held.product_id = p.id
      WHERE p.id = ANY ($2::bigint[]) AND p.deleted_at IS NULL AND p.status = 'published'),
   entrant AS MATERIALIZED (
     SELECT product.id, (SELECT count(*) FROM held) + row_number() OVER (ORDER BY min(sent.place)) AS line_count
       FROM product JOIN sent ON sent.product_id = product.id
      WHERE is_new AND room > 0
      GROUP BY product.id),
   fitting AS (
     SELECT sent.*, product.stock,
            CASE WHEN product.id IS NULL THEN 'unknown_product'
                 WHEN entrant.line_count > ${maxLines} THEN 'cart_full' END AS obstacle,
            product.room, sum(sent.quantity) OVER (PARTITION BY sent.product_id ORDER BY sent.place) AS sum
       FROM sent LEFT JOIN product ON product.id = sent.product_id LEFT JOIN entrant ON entrant.id = sent.product_id),
   outcome AS MATERIALIZED (
     SELECT place, product_id, quantity, obstacle, stock,
            CASE WHEN obstacle IS NULL THEN least(room, sum) - least(room, sum - quantity) ELSE 0 END::integer AS added
       FROM fitting),
   changed AS (
     INSERT INTO cart_items AS line (cart_id, product_id, quantity)
     SELECT $1, product_id, sum(added) FROM outcome GROUP BY product_id HAVING sum(added) > 0 ORDER BY product_id
     ON CONFLICT (cart_id, product_id) DO UPDATE SET quantity = line.quantity + excluded.quantity
     RETURNING id, product_id, quantity),
   cart AS (
     UPDATE carts SET updated_at = CASE WHEN EXISTS (SELECT FROM changed) THEN now() ELSE updated_at END
      WHERE id = $1
     RETURNING *),
   line AS (
     SELECT * FROM held WHERE product_id NOT IN (SELECT product_id FROM changed)
      UNION ALL
     SELECT * FROM changed),
   answer AS MATERIALIZED (
     SELECT ${rowJson(`
              ${cartJson('line')} AS cart,
              (SELECT json_agg(json_build_object(
                        'product_id', product_id, 'quantity', quantity, 'added', added,
                        'cut', CASE WHEN added = quantity THEN NULL
                                    WHEN obstacle IS NOT NULL THEN obstacle
                                    WHEN stock < ${maxQuantity} THEN 'insufficient_stock'
                                    ELSE 'quantity_too_large' END) ORDER BY place)
                 FROM outcome) AS lines`)} AS body
       FROM cart),
   kept AS (
     INSERT INTO idempotency_keys AS stored (user_id, key, request_hash, response)
     SELECT $4::uuid, $5::text, $6::text, body FROM answer WHERE $5::text IS NOT NULL
     ON CONFLICT (user_id, key) DO UPDATE
        SET request_hash = excluded.request_hash, response = excluded.response, created_at = now()
      WHERE stored.created_at <= now() - ${keyLifetime}
     RETURNING key)
   SELECT body::text AS body, $5::text IS NULL OR EXISTS (SELECT FROM kept) AS is_kept FROM answer`,
);

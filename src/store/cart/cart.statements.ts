import { statement } from '../../database/database.js';
import { isoTimestamp } from '../../database/iso-timestamp.js';
import { rowJson } from '../../database/row-json.statements.js';
import { productJson } from '../catalogue/product-json.statements.js';
import { maxLines, maxQuantity } from './cart.dto.js';

/**
 * A product, looked up by its key. OFFSET 0 keeps the planner from other plans, which it prefers on tables without
 * statistics, if it believes that a partial index of all products holds one row.
 */
export function productByKey(id: string): string {
  return `(SELECT * FROM products WHERE id = ${id} OFFSET 0)`;
}

/** The `Cart` of the API, from the row `cart` and the SQL of its lines. */
export function cartJson(lines: string): string {
  const item = rowJson(`line.id, line.product_id, line.quantity, ${productJson('p')} AS product`);
  const items = `(SELECT coalesce(json_agg(${item} ORDER BY line.id), '[]'::json)
             FROM ${lines} JOIN LATERAL ${productByKey('line.product_id')} p ON p.deleted_at IS NULL AND p.status = 'published')`;
  return rowJson(`cart.id, cart.user_id, ${items} AS items, ${isoTimestamp('cart.created_at')} AS created_at,
            ${isoTimestamp('cart.updated_at')} AS updated_at`);
}

export const readCart = statement(
  'cart.read',
  `SELECT ${cartJson('(SELECT * FROM cart_items WHERE cart_id = cart.id) AS line')}::text AS body
     FROM carts cart
    WHERE cart.user_id = $1`,
);

export const makeCart = statement(
  'cart.make',
  `INSERT INTO carts (user_id) SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL
   ON CONFLICT (user_id) DO NOTHING`,
);

/**
 * Adds $3 pieces of product $2 to the cart of user $1, or writes nothing: its one row says which, and why (`verdict`),
 * with the cart after it. To note the time is to lock the cart, if it still has the version that the statement saw.
 * Where another request came in between, or there is no cart, the verdict is `stale`: the lines would be those of
 * before.
 */
export const addToCart = statement(
  'cart.add',
  `WITH seen AS MATERIALIZED (SELECT id, xmin AS version FROM carts WHERE user_id = $1),
        product AS MATERIALIZED (
          SELECT name, stock, least(stock, ${maxQuantity}) AS most FROM ${productByKey('$2')} AS found
           WHERE deleted_at IS NULL AND status = 'published'),
        held AS MATERIALIZED (
          SELECT id, product_id, quantity FROM cart_items WHERE cart_id = (SELECT id FROM seen)),
        verdict AS MATERIALIZED (
          SELECT CASE
                   WHEN product.stock IS NULL THEN 'unknown'
                   WHEN before.quantity = 0 AND before.lines >= ${maxLines} THEN 'full'
                   WHEN before.quantity + $3 > product.most AND product.stock < ${maxQuantity} THEN 'short'
                   WHEN before.quantity + $3 > product.most THEN 'too-many'
                   ELSE 'added'
                 END AS verdict, product.name, product.stock, before.quantity
            FROM (SELECT count(*) AS lines, coalesce(sum(quantity) FILTER (WHERE product_id = $2), 0)::integer AS quantity
                    FROM held) AS before
            LEFT JOIN product ON true),
        cart AS (
          UPDATE carts SET updated_at = now()
            FROM seen, verdict
           WHERE carts.user_id = $1 AND carts.xmin = seen.version AND verdict.verdict = 'added'
          RETURNING carts.*),
        changed AS (
          INSERT INTO cart_items AS line (cart_id, product_id, quantity)
          SELECT id, $2, $3 FROM cart
          ON CONFLICT (cart_id, product_id) DO UPDATE SET quantity = line.quantity + excluded.quantity
          RETURNING id, product_id, quantity),
        line AS (
          SELECT * FROM held WHERE product_id <> $2
           UNION ALL
          SELECT * FROM changed)
   SELECT CASE WHEN verdict = 'added' AND cart.id IS NULL THEN 'stale' ELSE verdict END AS verdict,
          name, stock, quantity AS held, CASE WHEN cart.id IS NOT NULL THEN ${cartJson('line')}::text END AS body
     FROM verdict LEFT JOIN cart ON true`,
);

/** The carts that a statement of the sweep looks at. */
const cartsPerWalk = 500;

/**
 * Empties those of the carts next after $1 that nobody has changed for $2 days. By key, as an index of the times would
 * burden each change of a cart. One that is in use is passed over, as are lines that leave with their product. The
 * others are stamped, so that whoever waits for one reads it anew.
 */
export const emptyAbandoned = statement(
  'cart.empty-abandoned',
  `WITH part AS MATERIALIZED (SELECT id FROM carts WHERE id > $1 ORDER BY id LIMIT ${cartsPerWalk}),
        old AS MATERIALIZED (
          SELECT cart.id FROM part JOIN carts cart USING (id)
           WHERE cart.updated_at < now() - $2::integer * interval '1 day'
             AND EXISTS (SELECT FROM cart_items WHERE cart_id = cart.id)
             FOR NO KEY UPDATE OF cart SKIP LOCKED),
        stamped AS (UPDATE carts SET updated_at = now() WHERE id IN (SELECT id FROM old)),
        line AS MATERIALIZED (
          SELECT id FROM cart_items WHERE cart_id IN (SELECT id FROM old) FOR UPDATE SKIP LOCKED),
        gone AS (DELETE FROM cart_items WHERE id IN (SELECT id FROM line))
   SELECT max(id) AS last FROM part`,
);

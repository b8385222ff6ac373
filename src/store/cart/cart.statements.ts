import { type Statement, statement } from '../../database/database.js';
import { isoTimestamp } from '../../database/iso-timestamp.js';
import { rowJson } from '../../database/row-json.statements.js';
import { productJson } from '../catalogue/product-json.statements.js';
import { maxQuantity } from './cart.shapes.js';

// Unspecified: how many products a cart holds; 500, so that no total outgrows its column. Two simultaneous additions
// may pass it by one, which the column can hold.
export const maxLines = 500;

/**
 * A product, looked up by its key. OFFSET 0 keeps the planner from other plans, which it prefers on tables without
 * statistics, where it believes that a partial index of all products holds one row.
 */
function productByKey(id: string): string {
  return `(SELECT * FROM products WHERE id = ${id} OFFSET 0)`;
}

/** The `Cart` of the API as text, from the row `cart` and the SQL of its lines. */
function cartText(lines: string, updatedAt = 'cart.updated_at'): string {
  const item = rowJson(`line.id, line.product_id, line.quantity, ${productJson('p')} AS product`);
  const items = `(SELECT coalesce(json_agg(${item} ORDER BY line.id), '[]'::json)
             FROM ${lines} JOIN LATERAL ${productByKey('line.product_id')} p ON p.deleted_at IS NULL)`;
  return `${rowJson(`cart.id, cart.user_id, ${items} AS items, ${isoTimestamp('cart.created_at')} AS created_at,
            ${isoTimestamp(updatedAt)} AS updated_at`)}::text`;
}

export const readCart = statement(
  'cart.read',
  `SELECT ${cartText('(SELECT * FROM cart_items WHERE cart_id = cart.id) AS line')} AS body
     FROM carts cart
    WHERE cart.user_id = $1`,
);

export const makeCart = statement(
  'cart.make',
  `INSERT INTO carts (user_id) SELECT id FROM users WHERE id = $1 AND deleted_at IS NULL
   ON CONFLICT (user_id) DO NOTHING`,
);

interface Change {
  name: string;
  /** SQL of the rows that the change needs to see. */
  given: string;
  /** A change of lines that returns their id, product_id and new quantity (0: the line is gone). */
  change: string;
  /** SQL of the columns by which the service explains a refusal. */
  verdict: string;
}

/**
 * The lines of the cart that the CTE `cart` locked. It compares the cart's id with a value instead of joining: on a table
 * that was empty when it was analyzed, the planner joins by reading all of an index, with the dead rows of all past carts.
 */
const linesOfCart = 'cart_items item WHERE item.cart_id = (SELECT id FROM cart)';

/**
 * Changes the cart of user $1 and returns the cart after it, in one statement. It locks the cart's row first, so that
 * changes of one cart follow each other. A statement that waited for the lock has seen the lines as they were before:
 * `fresh` is then false, and the caller must read the cart anew.
 */
function changeOfCart({ name, given, change, verdict }: Change): Statement {
  return statement(
    name,
    `WITH seen AS MATERIALIZED (SELECT ctid AS version FROM carts WHERE user_id = $1),
          cart AS MATERIALIZED (
            SELECT ctid AS version, id, user_id, created_at, updated_at FROM carts WHERE user_id = $1 FOR NO KEY UPDATE),
          ${given},
          changed AS (${change}),
          stamped AS (
            UPDATE carts SET updated_at = now()
             WHERE id = (SELECT id FROM cart) AND EXISTS (SELECT FROM changed)
            RETURNING updated_at),
          line AS (
            SELECT item.id, item.product_id, item.quantity
              FROM ${linesOfCart} AND item.id NOT IN (SELECT id FROM changed)
             UNION ALL
            SELECT id, product_id, quantity FROM changed WHERE quantity > 0)
     SELECT ${cartText('line', 'coalesce((SELECT updated_at FROM stamped), cart.updated_at)')} AS body,
            cart.version = seen.version AS fresh, EXISTS (SELECT FROM changed) AS changed, ${verdict}
       FROM cart CROSS JOIN seen`,
  );
}

/**
 * Adds $3 pieces of product $2 to the cart of user $1 and returns the cart after it: the usual case of `addToCart` in fewer
 * steps. It writes and returns nothing where something stands in the way, or where the cart changed while it waited for the
 * lock (the row then has another version), since it would see the lines of before.
 */
export const addAtOnce = statement(
  'cart.add-at-once',
  `WITH seen AS MATERIALIZED (
          SELECT cart.id, cart.xmin AS version, product.stock
            FROM carts cart JOIN LATERAL ${productByKey('$2')} product ON product.deleted_at IS NULL
           WHERE cart.user_id = $1),
        held AS MATERIALIZED (
          SELECT id, product_id, quantity FROM cart_items WHERE cart_id = (SELECT id FROM seen)),
        cart AS (
          UPDATE carts SET updated_at = now()
            FROM seen,
                 (SELECT count(*) AS lines, coalesce(sum(quantity) FILTER (WHERE product_id = $2), 0) AS quantity
                    FROM held) AS before
           WHERE carts.user_id = $1 AND carts.xmin = seen.version AND before.lines < ${maxLines}
             AND before.quantity + $3 <= least(${maxQuantity}, seen.stock)
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
   SELECT ${cartText('line')} AS body FROM cart`,
);

/** Adds $3 pieces of product $2 to its line, or in a new one, within stock and `maxQuantity`. */
export const addToCart = changeOfCart({
  name: 'cart.add',
  given: `product AS MATERIALIZED (
            SELECT id, name, stock FROM ${productByKey('$2')} AS product WHERE deleted_at IS NULL),
          held AS MATERIALIZED (
            SELECT count(*) AS lines, sum(item.quantity) FILTER (WHERE item.product_id = $2) AS quantity
              FROM ${linesOfCart})`,
  change: `INSERT INTO cart_items AS line (cart_id, product_id, quantity)
           SELECT cart.id, product.id, $3
             FROM cart, product, held
            WHERE $3 <= product.stock AND (held.lines < ${maxLines} OR held.quantity IS NOT NULL)
           ON CONFLICT (cart_id, product_id) DO UPDATE SET quantity = line.quantity + excluded.quantity
            WHERE line.quantity + excluded.quantity <= least(${maxQuantity}, (SELECT stock FROM product))
           RETURNING id, product_id, quantity`,
  verdict: `(SELECT name FROM product) AS product_name, (SELECT stock FROM product) AS stock,
            (SELECT lines FROM held) AS lines, (SELECT coalesce(quantity, 0) FROM held) AS held`,
});

/** Sets the quantity of line $2 to $3, within stock. */
export const setQuantity = changeOfCart({
  name: 'cart.set-quantity',
  given: `item AS MATERIALIZED (
            SELECT line.id, product.name, product.stock
              FROM (SELECT item.id, item.product_id FROM ${linesOfCart} AND item.id = $2) AS line
              JOIN LATERAL ${productByKey('line.product_id')} product ON product.deleted_at IS NULL)`,
  change: `UPDATE cart_items AS line SET quantity = $3
             FROM item
            WHERE line.id = item.id AND $3 <= item.stock
           RETURNING line.id, line.product_id, line.quantity`,
  verdict: `(SELECT name FROM item) AS product_name, (SELECT stock FROM item) AS stock`,
});

export const removeLine = changeOfCart({
  name: 'cart.remove-line',
  given: `item AS MATERIALIZED (
            SELECT line.id
              FROM (SELECT item.id, item.product_id FROM ${linesOfCart} AND item.id = $2) AS line
              JOIN LATERAL ${productByKey('line.product_id')} product ON product.deleted_at IS NULL)`,
  change: `DELETE FROM cart_items WHERE id = (SELECT id FROM item) RETURNING id, product_id, 0 AS quantity`,
  verdict: `NULL AS nothing`,
});

/** Locks the lines in the order of products, so that it cannot deadlock with products that leave all carts. */
export const clearCart = changeOfCart({
  name: 'cart.clear',
  given: `item AS MATERIALIZED (
            SELECT item.id
              FROM ${linesOfCart}
             ORDER BY item.product_id
               FOR UPDATE)`,
  change: `DELETE FROM cart_items WHERE id IN (SELECT id FROM item) RETURNING id, product_id, 0 AS quantity`,
  verdict: `NULL AS nothing`,
});

/** The carts that a statement of the sweep looks at. */
const cartsPerWalk = 500;

/**
 * Empties those of the carts next after $1 that nobody has changed for $2 days. By key, as an index of the times would burden
 * each change of a cart. One that is in use is passed over, as are lines that leave with
 * their product. The others are stamped, so that whoever waits for one reads it anew.
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

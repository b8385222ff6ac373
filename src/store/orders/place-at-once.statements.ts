import { type Statement, statement } from '../../database/database.js';
import { addMailsSql } from '../../mail/mail.statements.js';
import { keySlot, sweepKeys } from './idempotency-keys.statements.js';
import { itemsJson, orderJson } from './order-json.statements.js';
import { orderMails } from './order-mails.statements.js';
import { hasMostUnpaid, secondsUntilNextOrder } from './order-quotas.statements.js';

interface Keyed {
  name: string;
  /** Holds where no other request has the Idempotency-Key. */
  isFree: string;
  /** Further CTEs, before and after the order is written. */
  before?: string;
  after?: string;
}

/**
 * Places the order of user $1's cart without a coupon: one statement, without BEGIN and COMMIT, in place of three. $2 to
 * $11 are its shipping, $12 says whether the owner gets a mail, $13 and $14 are how many orders a day and unpaid ones the user
 * may have. It writes and returns nothing where there is a refusal to explain: no cart, an empty one, too little stock, a
 * product that is gone, a key in use, a quota that is used up; nor where the cart changed while it waited for the lock, since
 * it would see the lines and orders of before.
 *
 * Locks as the statements of `checkout.statements.ts` do: the cart, then its products by id.
 */
function placing({ name, isFree, before = '', after = '' }: Keyed): Statement {
  return statement(
    name,
    `WITH seen AS MATERIALIZED (SELECT ctid AS version FROM carts WHERE user_id = $1),
     cart AS MATERIALIZED (
       SELECT id, ctid AS version FROM carts WHERE user_id = $1 FOR NO KEY UPDATE),${before}
     item AS MATERIALIZED (
       SELECT product_id, quantity
         FROM cart_items
        WHERE cart_id = (
                SELECT cart.id
                  FROM cart JOIN seen USING (version)
                 WHERE ${isFree} AND ${secondsUntilNextOrder('$1', '$13')} IS NULL AND NOT ${hasMostUnpaid('$1', '$14')})),
     line AS MATERIALIZED (
       SELECT p.id AS product_id, p.stock, p.price, p.deleted_at, item.quantity
         FROM item JOIN products p ON p.id = item.product_id
        ORDER BY p.id
          FOR NO KEY UPDATE OF p),
     goods AS MATERIALIZED (
       SELECT sum(price * quantity) AS price
         FROM line
       HAVING count(*) > 0 AND bool_and(quantity <= stock AND deleted_at IS NULL)),
     taken AS (
       UPDATE products SET stock = products.stock - line.quantity
         FROM line
        WHERE products.id = line.product_id AND EXISTS (SELECT FROM goods)
       RETURNING products.*),
     placed AS (
       INSERT INTO orders (user_id, total_price, shipping_first_name, shipping_last_name, shipping_address, shipping_city,
                           shipping_zip, shipping_country, shipping_phone, shipping_method, shipping_cost,
                           estimated_delivery)
       SELECT $1, goods.price + coalesce($10::numeric, 0), $2, $3, $4, $5, $6, $7, $8, $9, $10,
              now() + $11 * interval '1 day'
         FROM goods
       RETURNING *),
     written AS (
       INSERT INTO order_items (order_id, product_id, quantity, price, product_name, product_image_url)
       SELECT placed.id, line.product_id, line.quantity, line.price, taken.name, taken.image_url
         FROM placed, line JOIN taken ON taken.id = line.product_id
        ORDER BY line.product_id
       RETURNING id, product_id, quantity, price),
     emptied AS (
       DELETE FROM cart_items WHERE cart_id = (SELECT id FROM cart) AND EXISTS (SELECT FROM goods)),
     stamped AS (
       UPDATE carts SET updated_at = now() WHERE user_id = $1 AND EXISTS (SELECT FROM goods)),
     answer AS MATERIALIZED (
       SELECT o.id, ${orderJson(itemsJson('written line JOIN taken p ON p.id = line.product_id', { name: 'p.name', imageUrl: 'p.image_url' }))} AS "order"
         FROM placed o),
     mailed AS (${addMailsSql(orderMails.placed, 'id', 'placed WHERE $12::boolean')})${after}
     SELECT "order"::text AS body, (SELECT array_agg(product_id) FROM line) AS products FROM answer`,
  );
}

/**
 * Locks the carts of users $1 and then the products in those of users $2, as the orders of other transactions do: several
 * orders in one transaction cannot deadlock with them.
 */
export const lockGoods = statement(
  'orders.lock-goods',
  `WITH cart AS MATERIALIZED (
     SELECT id, user_id FROM carts WHERE user_id = ANY ($1::uuid[]) ORDER BY user_id FOR NO KEY UPDATE)
   SELECT
     FROM products
    WHERE id = ANY (ARRAY(
            SELECT product_id
              FROM cart_items
             WHERE cart_id = ANY (ARRAY(SELECT id FROM cart WHERE user_id = ANY ($2::uuid[])))))
    ORDER BY id
      FOR NO KEY UPDATE`,
);

export const placeAtOnce = placing({ name: 'orders.place-at-once', isFree: 'true' });

/** Like `placeAtOnce`, but also stores the response under key $15 with the digest $16 of its request. */
export const placeKeyedAtOnce = placing({
  name: 'orders.place-keyed-at-once',
  isFree: '(SELECT free FROM slot)',
  before: `
     slot AS MATERIALIZED (
       SELECT ${keySlot('$1', '$15')}
              AND NOT EXISTS (SELECT FROM idempotency_keys WHERE user_id = $1 AND key = $15) AS free),`,
  after: `,
     kept AS (
       INSERT INTO idempotency_keys (user_id, key, request_hash, response)
       SELECT $1, $15, $16, answer."order" FROM answer),
     swept AS (${sweepKeys('EXISTS (SELECT FROM goods)')})`,
});

import { statement } from '../../database/database.js';
import { addMailsSql } from '../../platform/mail/mail.statements.js';
import { writeEventsSql } from '../events/store-events.statements.js';
import { couponStateColumns } from '../coupons/coupons.statements.js';
import { keyLifetime, keySlot } from '../idempotency/idempotency-keys.statements.js';
import { orderEventRow } from './order-events.statements.js';
import { itemsJson, nextOfPlaced, orderJson } from './order-json.statements.js';
import { orderMails } from './order-mails.statements.js';
import { hasMostUnpaid, secondsUntilNextOrder } from './order-quotas.statements.js';
import { discountOf, isOtherShipping, shippingOf, totalOf } from './order-total.statements.js';
import { scarceGoods } from '../catalogue/stock-events.statements.js';

// The order of locks, so that no two orders wait for each other: the cart, its products by id, the coupon.

/**
 * Places the order of the cart of user $1 with all that goes with it, or writes nothing: its one row says which, and why
 * (`verdict`). It writes the tables of the catalog, the cart and the coupons too: further statements would hold their locks
 * for further round trips.
 *
 * $2 to $8 are the recipient, $9 the method of shipping, $10 its cost (null if the shop has no such method), $11 from which
 * price of the goods on it is free, $12 the cost that the client believes in, $13 the days of delivery. $14 is the code of a
 * coupon, $15 an Idempotency-Key with the digest $16 of its request. $17 says whether the owner gets a mail, $18 and $19 are how
 * many orders of a day and unpaid ones the user may have. $20 is how many pieces left are few: that is an event where the order
 * crosses it, as the last piece is.
 *
 * A statement that waited for the cart has seen the lines, orders and keys of before: the cart then has another version, and the
 * verdict is `stale`. Where another response is stored under the key meanwhile, or one from before its lifetime is still there,
 * the statement fails by `idempotency_keys_pkey`.
 */
export const placeOrder = statement(
  'orders.place',
  `WITH slot AS MATERIALIZED (
     SELECT $15::text IS NULL OR ${keySlot('$1::uuid', '$15')} AS free),
   stored AS MATERIALIZED (
     SELECT request_hash, response::text AS body
       FROM idempotency_keys
      WHERE user_id = $1 AND key = $15 AND created_at > now() - ${keyLifetime}),
   seen AS MATERIALIZED (SELECT ctid AS version FROM carts WHERE user_id = $1),
   cart AS MATERIALIZED (
     SELECT id, ctid AS version
       FROM carts
      WHERE user_id = $1 AND (SELECT free FROM slot) AND NOT EXISTS (SELECT FROM stored)
        FOR NO KEY UPDATE),
   item AS MATERIALIZED (
     SELECT product_id, quantity
       FROM cart_items
      WHERE cart_id = (SELECT cart.id FROM cart JOIN seen USING (version))),
   locked AS MATERIALIZED (
     SELECT p.id AS product_id, p.name, p.stock, p.price, p.deleted_at IS NULL AND p.status = 'published' AS is_sold,
            item.quantity
       FROM item JOIN products p ON p.id = item.product_id
      ORDER BY p.id
        FOR NO KEY UPDATE OF p),
   line AS MATERIALIZED (SELECT * FROM locked WHERE is_sold),
   goods AS MATERIALIZED (
     SELECT sum(price * quantity) AS price, array_agg(product_id) AS products,
            min(product_id) FILTER (WHERE quantity > stock) AS short, bool_and(quantity < stock) AS leaves_some
       FROM line),
   coupon AS MATERIALIZED (
     SELECT ${couponStateColumns}
       FROM coupons
      WHERE upper(code) = upper($14) AND (SELECT price FROM goods) IS NOT NULL
        FOR NO KEY UPDATE),
   discounted AS (
     SELECT price, ${discountOf('price', '(SELECT discount_percent FROM coupon)')} AS discount FROM goods),
   total AS MATERIALIZED (
     SELECT price, discount, ${shippingOf('price - discount', '$10::numeric', '$11::numeric')} AS shipping
       FROM discounted),
   quota AS MATERIALIZED (
     SELECT ${secondsUntilNextOrder('$1', '$18')} AS wait_seconds, ${hasMostUnpaid('$1', '$19')} AS has_most_unpaid),
   verdict AS MATERIALIZED (
     SELECT CASE
              WHEN NOT (SELECT free FROM slot) THEN 'running'
              WHEN EXISTS (SELECT FROM stored) THEN 'stored'
              WHEN (SELECT cart.version <> seen.version FROM cart, seen) THEN 'stale'
              WHEN goods.price IS NULL THEN 'empty'
              WHEN goods.short IS NOT NULL THEN 'short'
              WHEN $14 IS NOT NULL AND NOT EXISTS (SELECT FROM coupon WHERE fault IS NULL) THEN 'coupon'
              WHEN $9::text IS NOT NULL AND ${isOtherShipping('total.shipping', '$12::numeric')} THEN 'shipping'
              WHEN (SELECT wait_seconds FROM quota) IS NOT NULL THEN 'rate'
              WHEN (SELECT has_most_unpaid FROM quota) THEN 'unpaid'
              ELSE 'placed'
            END AS verdict
       FROM goods, total),
   placed AS (
     INSERT INTO orders (user_id, total_price, discount, coupon_id, coupon_code, shipping_first_name, shipping_last_name,
                         shipping_address, shipping_city, shipping_zip, shipping_country, shipping_phone,
                         shipping_method, shipping_cost, estimated_delivery)
     SELECT $1, ${totalOf('price', 'discount', 'shipping')}, discount, coupon.id, coupon.code, $2, $3, $4, $5, $6, $7, $8,
            $9, shipping, now() + $13 * interval '1 day'
       FROM verdict CROSS JOIN total LEFT JOIN coupon ON true
      WHERE verdict = 'placed'
     RETURNING *),
   taken AS (
     UPDATE products SET stock = products.stock - line.quantity
       FROM line
      WHERE products.id = line.product_id AND EXISTS (SELECT FROM placed)
     RETURNING products.*),
   counted AS (
     UPDATE coupons SET current_uses = current_uses + 1 WHERE id = (SELECT coupon_id FROM placed)),
   written AS (
     INSERT INTO order_items (order_id, product_id, quantity, price, product_name, product_image_url)
     SELECT placed.id, line.product_id, line.quantity, line.price, taken.name, taken.image_url
       FROM placed, line JOIN taken ON taken.id = line.product_id
      ORDER BY line.product_id
     RETURNING id, product_id, quantity, price),
   emptied AS (
     DELETE FROM cart_items WHERE cart_id = (SELECT id FROM cart) AND EXISTS (SELECT FROM placed)),
   stamped AS (
     UPDATE carts SET updated_at = now() WHERE user_id = $1 AND EXISTS (SELECT FROM placed)),
   answer AS MATERIALIZED (
     SELECT o.id, ${orderJson(itemsJson('written line JOIN taken p ON p.id = line.product_id', { name: 'p.name', imageUrl: 'p.image_url' }), nextOfPlaced)} AS "order"
       FROM placed o),
   kept AS (
     INSERT INTO idempotency_keys (user_id, key, request_hash, response)
     SELECT $1, $15, $16, answer."order" FROM answer WHERE $15 IS NOT NULL),
   mailed AS (${addMailsSql(orderMails.placed, 'id', 'placed WHERE $17::boolean')}),
   ${writeEventsSql(`
     ${orderEventRow('order.placed', 'placed', 'written line JOIN taken p ON p.id = line.product_id', 'p.name')}
     UNION ALL
     ${scarceGoods('taken p JOIN line ON line.product_id = p.id', 'p', 'p.stock + line.quantity', '$20::integer')}`)}
   SELECT verdict, coalesce((SELECT "order"::text FROM answer), (SELECT body FROM stored)) AS body, goods.products,
          goods.leaves_some,
          (SELECT request_hash FROM stored) AS request_hash,
          (SELECT row_to_json(line) FROM line WHERE product_id = goods.short) AS short,
          (SELECT row_to_json(coupon) FROM coupon) AS coupon,
          total.shipping AS shipping_cost, (SELECT wait_seconds FROM quota) AS wait_seconds
     FROM verdict, goods, total`,
);

/**
 * Locks the carts of users $1 and then the products in those of users $2, as the orders of other transactions do:
 * several orders in one transaction cannot deadlock with them, and an order behind these locks waits for nobody but its
 * coupon.
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

import { statement } from '../../database/database.js';
import { addMailsSql } from '../../mail/mail.statements.js';
import { couponStateColumns } from '../coupons/coupons.statements.js';
import { keyLifetime, keySlot, sweepKeys } from './idempotency-keys.statements.js';
import { itemsJson, orderJson } from './order-json.statements.js';
import { orderMails } from './order-mails.statements.js';
import { hasMostUnpaid, secondsUntilNextOrder } from './order-quotas.statements.js';

// The order of locks, so that no two orders wait for each other: the cart, its products by id, the coupon.

/**
 * Locks the cart of user $1, so that the next statement sees the writes of the lock's last holder. With the
 * Idempotency-Key $2, it does so only where no request of that key is running, on any node.
 */
export const lockCart = statement(
  'orders.lock-cart',
  `WITH slot AS MATERIALIZED (
     SELECT $2::text IS NULL
            OR ${keySlot('$1', '$2')} AS free)
   SELECT slot.free, cart.id AS cart_id
     FROM slot
     LEFT JOIN LATERAL (
       SELECT id FROM carts WHERE user_id = $1::uuid AND slot.free FOR NO KEY UPDATE) AS cart ON true`,
);

/**
 * The lines of cart $2 with their products, and the coupon of code $4, all locked; or the response stored under key $3. Beside
 * them, whether user $1 has as many orders of a day ($5), and as many unpaid ones ($6), as they may.
 */
export const lockContents = statement(
  'orders.lock-contents',
  `WITH expired AS (
     DELETE FROM idempotency_keys WHERE user_id = $1 AND key = $3 AND created_at <= now() - ${keyLifetime}),
   stored AS MATERIALIZED (
     SELECT request_hash, response::text AS body
       FROM idempotency_keys
      WHERE user_id = $1 AND key = $3 AND created_at > now() - ${keyLifetime}),
   line AS MATERIALIZED (
     SELECT p.id AS product_id, p.name, p.stock, (p.price * 100)::bigint AS price_cents, item.quantity, p.deleted_at
       FROM cart_items item
       JOIN products p ON p.id = item.product_id
      WHERE item.cart_id = $2 AND NOT EXISTS (SELECT FROM stored)
      ORDER BY p.id
        FOR NO KEY UPDATE OF p),
   coupon AS MATERIALIZED (
     SELECT ${couponStateColumns}
       FROM coupons
      WHERE upper(code) = upper($4) AND (SELECT count(*) FROM line) > 0
        FOR NO KEY UPDATE)
   SELECT (SELECT row_to_json(stored) FROM stored) AS stored,
          (SELECT coalesce(json_agg(line), '[]'::json) FROM line WHERE deleted_at IS NULL) AS lines,
          (SELECT row_to_json(coupon) FROM coupon) AS coupon,
          ${secondsUntilNextOrder('$1', '$5')} AS wait_seconds, ${hasMostUnpaid('$1', '$6')} AS has_most_unpaid`,
);

/**
 * Places an order with everything that goes with it in one statement. It writes the tables of the catalogue, the cart and the
 * coupons too: further statements would hold their locks for further round trips. Earlier statements locked their rows. $22
 * says whether the owner gets a mail.
 */
export const place = statement(
  'orders.place',
  `WITH bought AS (
     SELECT * FROM unnest($3::int[], $4::int[], $5::numeric[]) AS bought (product_id, quantity, price)),
   taken AS (
     UPDATE products SET stock = products.stock - bought.quantity
       FROM bought
      WHERE products.id = bought.product_id
     RETURNING products.*),
   counted AS (
     UPDATE coupons SET current_uses = current_uses + 1 WHERE id = $8),
   placed AS (
     INSERT INTO orders (user_id, total_price, discount, coupon_id, coupon_code, shipping_first_name, shipping_last_name,
                         shipping_address, shipping_city, shipping_zip, shipping_country, shipping_phone,
                         shipping_method, shipping_cost, estimated_delivery)
     VALUES ($1, $6, $7, $8, $21, $9, $10, $11, $12, $13, $14, $15, $16, $17, now() + $18 * interval '1 day')
     RETURNING *),
   written AS (
     INSERT INTO order_items (order_id, product_id, quantity, price, product_name, product_image_url)
     SELECT placed.id, bought.product_id, bought.quantity, bought.price, taken.name, taken.image_url
       FROM placed, bought JOIN taken ON taken.id = bought.product_id
      ORDER BY bought.product_id
     RETURNING id, product_id, quantity, price),
   emptied AS (
     DELETE FROM cart_items WHERE cart_id = $2),
   stamped AS (
     UPDATE carts SET updated_at = now() WHERE id = $2),
   answer AS MATERIALIZED (
     SELECT o.id, ${orderJson(itemsJson('written line JOIN taken p ON p.id = line.product_id', { name: 'p.name', imageUrl: 'p.image_url' }))} AS "order"
       FROM placed o),
   kept AS (
     INSERT INTO idempotency_keys (user_id, key, request_hash, response)
     SELECT $1, $19, $20, answer."order" FROM answer WHERE $19::text IS NOT NULL),
   swept AS (${sweepKeys('$19::text IS NOT NULL')}),
   mailed AS (${addMailsSql(orderMails.placed, 'id', 'placed WHERE $22::boolean')})
   SELECT "order"::text AS body FROM answer`,
);

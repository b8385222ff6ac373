import { statement } from '../../database/database.js';
import { rowJson } from '../../database/row-json.statements.js';
import { productByKey } from '../cart/cart.statements.js';
import { couponStateColumns } from '../coupons/coupons.statements.js';
import { hasMostUnpaid, secondsUntilNextOrder } from './order-quotas.statements.js';
import { discountOf, isOtherShipping, shippingOf, totalOf } from './order-total.statements.js';

const lineColumns = 'product_id, name, image_url, quantity, stock, price, price * quantity AS total';

/**
 * What `placeOrder` would make of the cart of user $1 now, without a lock and without writing anything. $2 is the code of a
 * coupon, $3 the cost of shipping (null if the shop has no such method), $4 from which price of the goods on it is free, $5 the
 * cost that the client believes in. $6 and $7 are how many orders of a day and unpaid ones the user may have, $8 and $9 the
 * costs of the shop's shipping methods and from which prices on they are free.
 */
export const quoteOrder = statement(
  'orders.quote',
  `WITH item AS MATERIALIZED (
     SELECT product_id, quantity FROM cart_items WHERE cart_id = (SELECT id FROM carts WHERE user_id = $1)),
   line AS MATERIALIZED (
     SELECT p.id AS product_id, p.name, p.image_url, item.quantity, p.stock, p.price
       FROM item JOIN LATERAL ${productByKey('item.product_id')} p
         ON p.deleted_at IS NULL AND p.status = 'published'),
   coupon AS MATERIALIZED (SELECT ${couponStateColumns} FROM coupons WHERE upper(code) = upper($2)),
   goods AS (SELECT coalesce(sum(price * quantity), 0) AS price FROM line),
   discounted AS (
     SELECT price, ${discountOf('price', '(SELECT discount_percent FROM coupon WHERE fault IS NULL)')} AS discount
       FROM goods),
   total AS MATERIALIZED (
     SELECT price, discount, ${shippingOf('price - discount', '$3::numeric', '$4::numeric')} AS shipping FROM discounted)
   SELECT (SELECT coalesce(json_agg(${rowJson(lineColumns)} ORDER BY product_id), '[]') FROM line) AS lines,
          price AS subtotal, discount, shipping AS shipping_cost, ${totalOf('price', 'discount', 'shipping')} AS total_price,
          (SELECT row_to_json(coupon) FROM coupon) AS coupon,
          coalesce(${isOtherShipping('shipping', '$5::numeric')}, false) AS is_other_shipping,
          ${secondsUntilNextOrder('$1', '$6')} AS wait_seconds, ${hasMostUnpaid('$1', '$7')} AS has_most_unpaid,
          (SELECT coalesce(json_agg(${shippingOf('price - discount', 'cost', 'free_from')} ORDER BY place), '[]')
             FROM unnest($8::numeric[], $9::numeric[]) WITH ORDINALITY AS method (cost, free_from, place)) AS method_costs
     FROM total`,
);

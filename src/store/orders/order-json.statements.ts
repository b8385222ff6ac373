import { isoTimestamp } from '../../database/iso-timestamp.js';
import { productJson } from '../catalogue/product-json.statements.js';

/** SQL that builds the `Order` of the API from the row `orders o` and the SQL of its items and coupon's code. */
export function orderJson(items: string, couponCode = 'o.coupon_code'): string {
  return `json_build_object(
    'id', o.id, 'user_id', o.user_id, 'total_price', o.total_price, 'status', o.status, 'items', ${items},
    'created_at', ${isoTimestamp('o.created_at')},
    'shipping_first_name', o.shipping_first_name, 'shipping_last_name', o.shipping_last_name,
    'shipping_address', o.shipping_address, 'shipping_city', o.shipping_city, 'shipping_zip', o.shipping_zip,
    'shipping_country', o.shipping_country, 'shipping_phone', o.shipping_phone,
    'shipping_method', o.shipping_method, 'shipping_cost', o.shipping_cost,
    'estimated_delivery', ${isoTimestamp('o.estimated_delivery')},
    'subtotal', o.total_price + o.discount - coalesce(o.shipping_cost, 0), 'discount', o.discount,
    'coupon_code', ${couponCode})`;
}

/** What a line shows of its product as it was when it was ordered. */
interface LineOfTheDay {
  name: string;
  imageUrl: string;
}

/** SQL that builds the items of an order from rows `line` of its lines and `p` of their products. */
export function itemsJson(from: string, { name, imageUrl }: LineOfTheDay): string {
  return `(SELECT coalesce(json_agg(json_build_object(
             'id', line.id, 'product_id', line.product_id, 'quantity', line.quantity, 'price', line.price,
             'name', ${name}, 'image_url', ${imageUrl},
             'product', ${productJson('p', { name, imageUrl, price: 'line.price' })}) ORDER BY line.id), '[]'::json)
             FROM ${from})`;
}

/** A line that a node of an older version wrote has no name of its own: it shows the product's, as that node does. */
const storedLine: LineOfTheDay = {
  name: 'coalesce(line.product_name, p.name)',
  imageUrl: 'CASE WHEN line.product_name IS NULL THEN p.image_url ELSE line.product_image_url END',
};

/**
 * A stored order: its products with the name, picture and price of the day, else as they are now, also deleted ones.
 */
export const storedOrderJson = orderJson(
  itemsJson('order_items line JOIN products p ON p.id = line.product_id WHERE line.order_id = o.id', storedLine),
  'coalesce(o.coupon_code, (SELECT code FROM coupons WHERE coupons.id = o.coupon_id))',
);

import { isoTimestamp } from '../../database/iso-timestamp.js';
import { productJson } from '../catalogue/product-json.js';

/** SQL that builds the document's Order from the row `orders o` and the SQL of its items. */
export function orderJson(items: string): string {
  return `json_build_object(
    'id', o.id, 'user_id', o.user_id, 'total_price', o.total_price, 'status', o.status, 'items', ${items},
    'created_at', ${isoTimestamp('o.created_at')},
    'shipping_first_name', o.shipping_first_name, 'shipping_last_name', o.shipping_last_name,
    'shipping_address', o.shipping_address, 'shipping_city', o.shipping_city, 'shipping_zip', o.shipping_zip,
    'shipping_country', o.shipping_country, 'shipping_phone', o.shipping_phone,
    'shipping_method', o.shipping_method, 'shipping_cost', o.shipping_cost,
    'estimated_delivery', ${isoTimestamp('o.estimated_delivery')})`;
}

/** SQL that builds the items of an order from rows `line` of its lines and `p` of their products. */
export function itemsJson(from: string): string {
  return `(SELECT coalesce(json_agg(json_build_object(
             'id', line.id, 'product_id', line.product_id, 'quantity', line.quantity, 'price', line.price,
             'product', ${productJson('p')}) ORDER BY line.id), '[]'::json)
             FROM ${from})`;
}

/** An order as it is stored, with its products as they are now, deleted ones included. */
export const storedOrderJson = orderJson(
  itemsJson('order_items line JOIN products p ON p.id = line.product_id WHERE line.order_id = o.id'),
);

import { isoTimestamp } from '../../database/iso-timestamp.js';
import { rowJson } from '../../database/row-json.statements.js';
import { productJson } from '../catalogue/product-json.statements.js';
import { nextStatuses } from './order-status.js';

/** SQL that builds the `Order` of the API from the row `orders o`, the SQL of its items, and further columns. */
export function orderJson(items: string, ...more: string[]): string {
  return rowJson(`o.id, o.user_id, o.total_price, o.status, ${items} AS items,
    ${isoTimestamp('o.created_at')} AS created_at,
    o.shipping_first_name, o.shipping_last_name, o.shipping_address, o.shipping_city, o.shipping_zip,
    o.shipping_country, o.shipping_phone, o.shipping_method, o.shipping_cost,
    ${isoTimestamp('o.estimated_delivery')} AS estimated_delivery,
    o.total_price + o.discount - coalesce(o.shipping_cost, 0) AS subtotal, o.discount, o.coupon_code,
    ${['o.paid_total, o.refunded_total, o.payment_problem, o.carrier, o.tracking_number, o.tracking_url', ...more].join(', ')}`);
}

/** The fields that a line shows of its product as it was at that time. */
interface LineOfTheDay {
  name: string;
  imageUrl: string;
}

/** SQL that builds the items of an order from its lines `line` and their products `p`. */
export function itemsJson(from: string, { name, imageUrl }: LineOfTheDay): string {
  const product = productJson('p', { name, imageUrl, price: 'line.price' });
  const item = rowJson(`line.id, line.product_id, line.quantity, line.price, ${name} AS name,
             ${imageUrl} AS image_url, ${product} AS product`);
  return `(SELECT coalesce(json_agg(${item} ORDER BY line.id), '[]'::json) FROM ${from})`;
}

const storedLine: LineOfTheDay = { name: 'line.product_name', imageUrl: 'line.product_image_url' };

/** A stored order: its products with the name, picture and price of that day, deleted products too. */
export const storedOrderJson = orderJson(
  itemsJson('order_items line JOIN products p ON p.id = line.product_id WHERE line.order_id = o.id', storedLine),
);

/** The statuses that may follow in an order that was just placed. */
export const nextOfPlaced = `'${JSON.stringify(nextStatuses({ status: 'pending', reached: 'pending' }))}'::json AS next_statuses`;

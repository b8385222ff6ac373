import { statement } from '../../database/database.js';
import { isoTimestamp } from '../../database/iso-timestamp.js';
import { rowJson } from '../../database/row-json.statements.js';
import { customerId, customerJson, writeEventsSql } from '../events/store-events.statements.js';
import type { StoreEventType } from '../events/store-event-types.js';

type OrderEventType = Extract<StoreEventType, `order.${string}` | `payment.${string}`>;

/** What an event tells of the order `o`, whose lines are `line` in the source `lines`. */
const orderData = (lines: string, name: string): string =>
  rowJson(`o.id, o.status, o.total_price + o.discount - coalesce(o.shipping_cost, 0) AS subtotal, o.discount,
      o.coupon_code, o.shipping_method, o.shipping_cost, o.total_price, o.paid_total, o.refunded_total,
      o.carrier, o.tracking_number, o.tracking_url, ${isoTimestamp('o.created_at')} AS created_at,
      (SELECT coalesce(json_agg(${rowJson(`line.id, line.product_id, ${name} AS name, line.quantity, line.price`)}
                ORDER BY line.id), '[]') FROM ${lines}) AS items`);

/** SQL of an event of the order in `from`, a row of orders, whose lines are `line` in the source `lines`. */
export function orderEventRow(type: OrderEventType, from: string, lines: string, name: string, more = ''): string {
  return `SELECT '${type}', o.user_id,
            jsonb_build_object('order', ${orderData(lines, name)}, 'customer', ${customerId('o.user_id')}${more}),
            ${customerJson('o')}
       FROM ${from} o JOIN users u ON u.id = o.user_id`;
}

const stored = (type: OrderEventType, more?: string): string =>
  `WITH ${writeEventsSql(
    `${orderEventRow(type, 'orders', 'order_items line WHERE line.order_id = o.id', 'line.product_name', more)} WHERE o.id = $1`,
  )} SELECT`;

/** Write an event of the order $1, by the status that it has just taken. */
export const statusEvents: Partial<Record<string, ReturnType<typeof statement>>> = {
  paid: statement('order-events.paid', stored('order.paid')),
  shipped: statement('order-events.shipped', stored('order.shipped')),
  cancelled: statement('order-events.cancelled', stored('order.cancelled')),
  refunded: statement('order-events.refunded', stored('order.refunded')),
};

/** Writes that a payment of the order $1 failed: with the provider $2, the amount $3 and what the provider says, $4. */
export const paymentFailed = statement(
  'order-events.payment-failed',
  stored(
    'payment.failed',
    `, 'payment', jsonb_build_object('provider', $2::text, 'amount', $3::numeric, 'reason', $4::text)`,
  ),
);

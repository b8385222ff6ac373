import { nextStatuses, type OrderState } from './order-status.js';
import type { OrderEntity } from './order.entity.js';
import type { AdminOrder, Order, RecentOrder } from './orders.dto.js';

const kept = {
  shipping_first_name: null,
  shipping_last_name: null,
  shipping_address: null,
  shipping_city: null,
  shipping_zip: null,
  shipping_country: null,
  shipping_phone: null,
  shipping_method: null,
  shipping_cost: null,
  // A coupon that the public list does not show still serves everyone who knows its code.
  coupon_code: null,
  payment_problem: null,
  carrier: null,
  tracking_number: null,
  tracking_url: null,
};

/** The order with the statuses that may follow. */
export function withNext<One extends Order>(order: One, reached: OrderState['reached']): One {
  return Object.assign({}, order, { next_statuses: nextStatuses({ status: order.status, reached }) });
}

/** The order as strangers may see it: without its shipping, its tracking and its coupon. */
export function toStrangersOrder(order: Order): Order {
  return Object.assign({}, order, kept);
}

/** The order as its owner sees it in lists: without their own name. */
export function withoutName({ username: _username, ...order }: AdminOrder): Order {
  return order;
}

// Unspecified: the username of an order whose account is deleted; it is "deleted".
export function toRecentOrder({ id, user, totalPrice: total_price, status, createdAt }: OrderEntity): RecentOrder {
  const username = user.username ?? 'deleted';
  return { id, user_id: user.id, username, total_price, status, created_at: createdAt.toISOString() };
}

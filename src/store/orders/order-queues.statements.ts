import { statement } from '../../database/database.js';
import { type OrderQueue, orderQueues } from './order-queues.js';

/**
 * SQL of whether an order is in a queue, word for word as the partial indexes have it. A pending order is unpaid by its
 * index of statuses. Payments say in `payment_problem` what failed, and refunds too.
 */
export const inQueue: Record<OrderQueue, string> = {
  to_ship: `status IN ('paid', 'processing')`,
  unpaid: `status = 'pending'`,
  problems: `(payment_problem IS NOT NULL OR status IN ('paid', 'processing') AND shipping_address IS NULL)`,
  returns: `reached IN ('shipped', 'delivered', 'completed') AND (status = 'refunded' OR refunded_total > 0)`,
};

/** How many orders are in each queue, counted up to $1. */
export const countQueues = statement(
  'orders.count-queues',
  `SELECT ${orderQueues
    .map(
      (queue) =>
        `(SELECT count(*)::integer FROM (SELECT FROM orders WHERE ${inQueue[queue]} LIMIT $1) AS waiting) AS ${queue}`,
    )
    .join(', ')}`,
);

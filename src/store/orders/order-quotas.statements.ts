import type { Quotas } from '../../config/quotas.js';

/** The values of the two parameters below. */
export function orderLimits({ orders, unpaidOrders }: Quotas): [orders: number, unpaid: number] {
  return [orders.limit, unpaidOrders.limit];
}

/** SQL of the seconds until the user may order again; null if that is now. It reads the orders of a day at most. */
export function secondsUntilNextOrder(userId: string, limit: string): string {
  return `(SELECT extract(epoch FROM created_at + interval '1 day' - now())::double precision
            FROM orders
           WHERE user_id = ${userId} AND created_at > now() - interval '1 day'
           ORDER BY created_at DESC, id DESC
          OFFSET ${limit}::integer - 1
           LIMIT 1)`;
}

/** SQL of whether the user has as many unpaid orders as they may. */
export function hasMostUnpaid(userId: string, limit: string): string {
  return `EXISTS (SELECT FROM orders WHERE user_id = ${userId} AND status = 'pending' OFFSET ${limit}::integer - 1)`;
}

import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import type { BestSeller, OrdersOfStatus } from './figures.dto.js';

/** A shop may use words of its own. */
const mostStatuses = 1_000;

export const ordersByStatus = statement(
  'figures.orders-by-status',
  `SELECT status, count(*)::integer AS orders FROM orders GROUP BY status ORDER BY orders DESC, status LIMIT ${mostStatuses}`,
);

export const bestSellers = statement(
  'figures.best-sellers',
  `SELECT line.product_id, p.name, line.quantity, line.revenue
     FROM (SELECT i.product_id, sum(i.quantity)::double precision AS quantity, sum(i.quantity * i.price) AS revenue
             FROM orders o JOIN order_items i ON i.order_id = o.id
            WHERE o.created_at >= $1 AND o.created_at < $2 AND o.status NOT IN ('cancelled', 'refunded')
            GROUP BY i.product_id
            ORDER BY quantity DESC, i.product_id
            LIMIT $3) AS line
     JOIN products p ON p.id = line.product_id
    ORDER BY line.quantity DESC, line.product_id`,
);

@Injectable()
export class FiguresRepository {
  constructor(private readonly database: Database) {}

  ordersByStatus(): Promise<OrdersOfStatus[]> {
    return this.database.rows<OrdersOfStatus & Record<string, unknown>>(ordersByStatus, []);
  }

  bestSellers(from: Date, to: Date, limit: number): Promise<BestSeller[]> {
    return this.database.rows<BestSeller & Record<string, unknown>>(bestSellers, [from, to, limit]);
  }
}

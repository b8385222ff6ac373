import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { orderStatuses, paidStatuses } from '../orders/order-status.js';
import type { DashboardStats } from './dashboard.dto.js';

const lowStock = 10;

/**
 * SQL for whether an order counts as revenue: by its status where the service knows it (`known`), else by how far the
 * order had come. `paid` lists the statuses of paid orders.
 */
export function countsAsRevenue(paid: string, known: string): string {
  return `(status = ANY (${paid}::text[]) OR (status <> ALL (${known}::text[]) AND reached = ANY (${paid}::text[])))`;
}

const stats = statement(
  'dashboard.stats',
  `SELECT (SELECT count(*) FROM users WHERE deleted_at IS NULL) AS total_users,
          (SELECT count(*) FROM products WHERE deleted_at IS NULL) AS total_products,
          (SELECT count(*) FROM products WHERE deleted_at IS NULL AND stock <= $1) AS low_stock_products,
          (SELECT count(*) FROM testimonials) AS total_testimonials,
          count(*) AS total_orders,
          count(*) FILTER (WHERE status = 'pending') AS pending_orders,
          coalesce(sum(total_price) FILTER (WHERE ${countsAsRevenue('$2', '$3')}), 0) AS total_revenue
     FROM orders`,
);

@Injectable()
export class DashboardRepository {
  constructor(private readonly database: Database) {}

  async stats(): Promise<DashboardStats> {
    const [figures] = await this.database.rows<DashboardStats>(stats, [lowStock, paidStatuses, orderStatuses]);
    return figures as DashboardStats;
  }
}

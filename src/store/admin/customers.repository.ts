import { Injectable } from '@nestjs/common';
import { Database, statement } from '../../database/database.js';
import { orderStatuses, paidStatuses } from '../orders/order-status.js';
import { type Customer, mostCounted } from './customers.dto.js';
import { countsAsRevenue } from './dashboard.repository.js';

export type CustomerFigures = Pick<Customer, 'orders_count' | 'spent_total' | 'last_order_at'>;

/** Of each account, its newest orders, which an index lists. */
export const figuresOfCustomers = statement(
  'customers.figures',
  `SELECT u.id AS user_id, o.*
     FROM unnest($1::uuid[]) AS u (id),
          LATERAL (
            SELECT count(*)::integer AS orders_count,
                   coalesce(sum(total_price - refunded_total) FILTER (WHERE ${countsAsRevenue('$2', '$3')}), 0)
                     ::double precision AS spent_total,
                   max(created_at) AS last_order_at
              FROM (SELECT status, reached, total_price, refunded_total, created_at
                      FROM orders WHERE user_id = u.id ORDER BY created_at DESC, id DESC LIMIT $4) AS newest
          ) AS o`,
);

@Injectable()
export class CustomersRepository {
  constructor(private readonly database: Database) {}

  /** What each of the accounts bought, by its id. */
  async figuresOf(userIds: readonly string[]): Promise<Map<string, CustomerFigures>> {
    const values = [userIds, paidStatuses, orderStatuses, mostCounted];
    const rows = await this.database.rows<CustomerFigures & { user_id: string }>(figuresOfCustomers, values);
    return new Map(rows.map(({ user_id, ...figures }) => [user_id, figures]));
  }
}

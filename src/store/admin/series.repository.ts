import { Injectable } from '@nestjs/common';
import type { TimeBuckets } from '../../platform/http/time-buckets.js';
import { Database, statement } from '../../database/database.js';
import { orderStatuses, paidStatuses } from '../orders/order-status.js';
import { countsAsRevenue } from './dashboard.repository.js';
import type { SeriesMetric } from './series.dto.js';

export interface SeriesValue {
  step: number;
  value: number;
}

/** The values of the non-empty steps ($1) from $2 to $3; the table's index on creation times serves it. */
const series = (metric: SeriesMetric, value: string, rows: string) =>
  statement(
    `series.${metric}`,
    `SELECT width_bucket(created_at, $1::timestamptz[]) AS step, ${value} AS value
       FROM ${rows} AND created_at >= $2 AND created_at < $3 GROUP BY step`,
  );

export const seriesStatements = {
  revenue: series('revenue', 'sum(total_price)', `orders WHERE ${countsAsRevenue('$4', '$5')}`),
  orders: series('orders', 'count(*)', 'orders WHERE true'),
  users: series('users', 'count(*)', 'users WHERE deleted_at IS NULL'),
  testimonials: series('testimonials', 'count(*)', 'testimonials WHERE true'),
};

@Injectable()
export class SeriesRepository {
  constructor(private readonly database: Database) {}

  values(metric: SeriesMetric, { starts, from, to }: TimeBuckets): Promise<SeriesValue[]> {
    const statuses = metric === 'revenue' ? [paidStatuses, orderStatuses] : [];
    return this.database.rows<SeriesValue & Record<string, unknown>>(seriesStatements[metric], [
      starts,
      from,
      to,
      ...statuses,
    ]);
  }
}

import { Injectable } from '@nestjs/common';
import { inBuckets, bucketsOf } from '../../platform/http/time-buckets.js';
import { DashboardRepository } from './dashboard.repository.js';
import type { DashboardStats } from './dashboard.dto.js';
import { FiguresRepository } from './figures.repository.js';
import type { BestSeller, BestSellersQuery, OrdersOfStatus } from './figures.dto.js';
import { SeriesRepository } from './series.repository.js';
import type { Series, SeriesQuery } from './series.dto.js';

const maxSteps = 1_000;
const monthMs = 30 * 86_400_000;

/** The figures on the first page of the admin console. */
@Injectable()
export class DashboardService {
  constructor(
    private readonly repository: DashboardRepository,
    private readonly values: SeriesRepository,
    private readonly figures: FiguresRepository,
  ) {}

  /** The shop in figures, all taken at one moment. */
  stats(): Promise<DashboardStats> {
    return this.repository.stats();
  }

  /** The number of orders in each status, most first. */
  ordersByStatus(): Promise<OrdersOfStatus[]> {
    return this.figures.ordersByStatus();
  }

  /** The products that sold most in a period, by pieces. */
  bestSellers({ from, to, limit }: BestSellersQuery): Promise<BestSeller[]> {
    const end = to === undefined ? new Date() : new Date(to);
    const beginning = from === undefined ? new Date(end.getTime() - monthMs) : new Date(from);
    return this.figures.bestSellers(beginning, end, limit);
  }

  /** A figure over time. `Invalid` for more than 1,000 steps, and where `from` is not before `to`. */
  async series({ metric, interval, ...window }: SeriesQuery): Promise<Series> {
    const steps = bucketsOf(window, interval, maxSteps);
    const points = inBuckets(steps, await this.values.values(metric, steps), (at, [one]) => ({
      at,
      value: one?.value ?? 0,
    }));
    return { metric, interval, from: steps.from, to: steps.to, points };
  }
}

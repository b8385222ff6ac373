import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../platform/auth/access.js';
import { Scope } from '../../platform/auth/scopes.js';
import { Answers } from '../../platform/http/answers.js';
import { OrdersService } from '../orders/orders.service.js';
import { RecentOrder } from '../orders/orders.dto.js';
import { DashboardService } from './dashboard.service.js';
import { DashboardStats, RecentOrdersQuery } from './dashboard.dto.js';
import { BestSeller, BestSellersQuery, OrdersOfStatus } from './figures.dto.js';
import { Series, SeriesQuery } from './series.dto.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminDashboardController {
  constructor(
    private readonly dashboard: DashboardService,
    private readonly orders: OrdersService,
  ) {}

  @Get('stats')
  @AdminOnly()
  @Scope('stats:read')
  @Answers(
    200,
    DashboardStats,
    'Dashboard statistics',
    'Current figures of the shop. Revenue counts orders that were paid and not refunded.',
  )
  stats(): Promise<DashboardStats> {
    return this.dashboard.stats();
  }

  @Get('stats/series')
  @AdminOnly()
  @Scope('stats:read')
  @Answers(
    200,
    Series,
    'A figure of the shop over time',
    'One point per interval from `from` to `to`, including empty ones, for a chart.',
  )
  series(@Query() query: SeriesQuery): Promise<Series> {
    return this.dashboard.series(query);
  }

  @Get('stats/orders-by-status')
  @AdminOnly()
  @Scope('stats:read')
  @Answers(200, [OrdersOfStatus], 'Count the orders of each status', 'Of all time, the most frequent status first.')
  ordersByStatus(): Promise<OrdersOfStatus[]> {
    return this.dashboard.ordersByStatus();
  }

  @Get('stats/best-sellers')
  @AdminOnly()
  @Scope('stats:read')
  @Answers(
    200,
    [BestSeller],
    'List the best-selling products',
    'By pieces, in orders from `from` to `to` that are neither cancelled nor refunded.',
  )
  bestSellers(@Query() query: BestSellersQuery): Promise<BestSeller[]> {
    return this.dashboard.bestSellers(query);
  }

  @Get('recent-orders')
  @AdminOnly()
  @Scope('orders:read')
  @Answers(200, [RecentOrder], 'List the newest orders', "The essentials of each, with the customer's name.")
  recentOrders(@Query() { limit }: RecentOrdersQuery): Promise<RecentOrder[]> {
    return this.orders.newest(limit);
  }
}

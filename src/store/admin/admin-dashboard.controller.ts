import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AdminOnly } from '../../common/auth/access.js';
import { Answers } from '../../common/http/answers.js';
import { DashboardService } from './dashboard.service.js';
import { DashboardStats, RecentOrder, RecentOrdersQuery } from './dashboard.shapes.js';

@ApiTags('admin')
@Controller('api/v1/admin')
export class AdminDashboardController {
  constructor(private readonly dashboard: DashboardService) {}

  @Get('stats')
  @AdminOnly()
  @Answers(200, DashboardStats, 'Dashboard statistics')
  stats(): Promise<DashboardStats> {
    return this.dashboard.stats();
  }

  @Get('recent-orders')
  @AdminOnly()
  @Answers(200, [RecentOrder], 'List the newest orders')
  recentOrders(@Query() { limit }: RecentOrdersQuery): Promise<RecentOrder[]> {
    return this.dashboard.recentOrders(limit);
  }
}

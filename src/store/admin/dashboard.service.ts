import { Injectable } from '@nestjs/common';
import { DashboardRepository } from './dashboard.repository.js';
import type { DashboardStats, RecentOrder } from './dashboard.shapes.js';

/** What the first page of the admin console shows. */
@Injectable()
export class DashboardService {
  constructor(private readonly repository: DashboardRepository) {}

  /** The shop in figures, all of one moment. */
  stats(): Promise<DashboardStats> {
    return this.repository.stats();
  }

  /** The newest orders of all users, newest first. */
  recentOrders(limit: number): Promise<RecentOrder[]> {
    return this.repository.recentOrders(limit);
  }
}

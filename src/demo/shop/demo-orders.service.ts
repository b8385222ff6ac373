import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { DemoDataRepository } from '../demo-data.repository.js';

/** The money of orders that no customer placed. */
@Injectable()
export class DemoOrdersService {
  constructor(
    private readonly repository: DemoDataRepository,
    private readonly settings: Settings,
  ) {}

  /** Writes the totals of orders whose lines are there, and the payments and refunds that their statuses ask for. */
  async settleOrders(ids: number[]): Promise<void> {
    await this.repository.priceOrders(ids);
    await this.repository.payOrders(ids, this.settings.shop.currency);
  }
}

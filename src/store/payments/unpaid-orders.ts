import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Settings } from '../../config/settings.js';
import { serviceLogger } from '../../platform/http/request-log.js';
import type { UnpaidOrder } from '../orders/order-money.repository.js';
import { OrderMoneyService } from '../orders/order-money.service.js';
import { SessionOutcomesService } from './session-outcomes.service.js';

/** Cancels orders that nobody paid in time (ORDER_UNPAID_MINUTES), so that their pieces can be bought by others. */
@Injectable()
export class UnpaidOrders {
  constructor(
    private readonly money: OrderMoneyService,
    private readonly outcomes: SessionOutcomesService,
    private readonly settings: Settings,
    @Inject(serviceLogger) private readonly logger: Logger,
  ) {}

  /** Cancels all that are due, some at a time, the oldest first. */
  async cancel(signal?: AbortSignal): Promise<void> {
    const { unpaidMinutes } = this.settings.payments;
    if (unpaidMinutes === 0) return;
    for (let last: UnpaidOrder | null = null; ;) {
      const orders: UnpaidOrder[] = await this.money.unpaid(unpaidMinutes, last);
      for (const { id } of orders) {
        signal?.throwIfAborted();
        await this.cancelOne(id);
      }
      last = orders.at(-1) ?? null;
      if (last === null) return;
    }
  }

  /** First ends its pages of payment, so that money does not come for it afterwards; an order with money on its way stays. */
  private async cancelOne(id: number): Promise<void> {
    try {
      if (await this.outcomes.closeOf(id)) await this.money.cancelUnpaid(id);
    } catch (error) {
      this.logger.warn({ order: id, reason: (error as Error).message }, 'unpaid order stays');
    }
  }
}

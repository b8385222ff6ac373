import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Database } from '../../database/database.js';
import type { CouponState } from '../coupons/coupon-state.js';
import type { ShippingMethod } from '../shop/shop.dto.js';
import { orderLimits } from './order-quotas.statements.js';
import { quoteOrder } from './quote.statements.js';
import type { QuoteLine } from './quotes.dto.js';
import type { ShippingCharge } from './shipping-charge.js';

/** What a quote is asked for. */
export interface QuoteWish {
  userId: string;
  couponCode: string | null;
  charge: ShippingCharge;
  methods: readonly ShippingMethod[];
}

/** What an order would be, and what stands in its way. */
export interface QuotedOrder {
  lines: QuoteLine[];
  subtotal: number;
  discount: number;
  shipping_cost: number | null;
  total_price: number;
  coupon: CouponState | null;
  /** Whether the order would be refused for its shipping. */
  is_other_shipping: boolean;
  /** The seconds until the quota of orders leaves another one; null if that is now. */
  wait_seconds: number | null;
  has_most_unpaid: boolean;
  /** What each of the methods costs for this cart. */
  method_costs: number[];
}

@Injectable()
export class QuotesRepository {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
  ) {}

  async quote({ userId, couponCode, charge, methods }: QuoteWish): Promise<QuotedOrder> {
    const values = [
      userId,
      couponCode,
      charge.cost,
      charge.freeFrom,
      charge.sentCost,
      ...orderLimits(this.settings.quotas),
      methods.map(({ cost }) => cost),
      methods.map(({ free_from }) => free_from),
    ];
    const [quoted] = await this.database.shortRead<QuotedOrder & Record<string, unknown>>(quoteOrder, values);
    if (!quoted) throw new Error('A quote ended without an answer');
    return quoted;
  }
}

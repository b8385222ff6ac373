import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { QuotaExceeded, RateExceeded, type Refusal } from '../../platform/errors/errors.js';
import { Invalid } from '../../platform/errors/invalid.js';
import { Settings } from '../../config/settings.js';
import { CouponAttempts } from '../coupons/coupon-attempts.js';
import { couponRefusal, couponResponse } from '../coupons/coupon-state.js';
import { ShopService } from '../shop/shop.service.js';
import { emptyCart, insufficientStock } from './cart-refusals.js';
import { defaultShipping } from './orders.dto.js';
import { mostProblems, type Quote, type QuoteProblem, type QuoteRequest } from './quotes.dto.js';
import { type QuotedOrder, QuotesRepository, type QuoteWish } from './quotes.repository.js';
import { ShippingCharges, type ShippingWish } from './shipping-charge.js';

/** Says what a checkout would do. */
@Injectable()
export class QuotesService {
  constructor(
    private readonly repository: QuotesRepository,
    private readonly attempts: CouponAttempts,
    private readonly charges: ShippingCharges,
    private readonly shop: ShopService,
    private readonly settings: Settings,
  ) {}

  /**
   * What a checkout of the caller's cart would do now, and what stands in its way; writes nothing but a wrong coupon code,
   * which counts as a guess. `RateExceeded` after too many of these.
   */
  async quote({ shipping, coupon_code }: QuoteRequest, { id: userId }: CallerIdentity): Promise<Quote> {
    const couponCode = coupon_code || null;
    const sent = shipping ?? { shipping_method: defaultShipping.method };
    const [{ currency, shipping_methods: methods }, charge] = await Promise.all([
      this.shop.current(),
      this.charges.of(sent),
    ]);
    const order = await this.look({ userId, couponCode, charge, methods });
    const { lines, subtotal, discount, shipping_cost, total_price } = order;
    return {
      currency,
      lines,
      subtotal,
      discount,
      shipping_cost,
      total_price,
      coupon: couponCode === null ? null : couponResponse(couponCode, order.coupon),
      shipping_methods: methods.map((method, n) =>
        Object.assign({}, method, { quoted_cost: order.method_costs[n] ?? method.cost }),
      ),
      problems: (await this.refusalsOf(order, couponCode, sent)).slice(0, mostProblems).map(toProblem),
    };
  }

  /** A code that no coupon has is a guess. */
  private look(wish: QuoteWish): Promise<QuotedOrder> {
    const look = () => this.repository.quote(wish);
    if (wish.couponCode === null) return look();
    return this.attempts.look(wish.userId, look, ({ coupon }) => coupon !== null);
  }

  /** All refusals of the order, in the sequence in which it is checked. */
  private async refusalsOf(
    order: QuotedOrder,
    couponCode: string | null,
    sent: ShippingWish,
  ): Promise<(Refusal | Invalid)[]> {
    const { lines, coupon, wait_seconds: wait } = order;
    const { orders, unpaidOrders } = this.settings.quotas;
    return [
      ...(lines.length === 0 ? [emptyCart()] : []),
      ...lines.filter(({ quantity, stock }) => quantity > stock).map(insufficientStock),
      ...(couponCode !== null && coupon?.fault !== null ? [couponRefusal(coupon)] : []),
      ...(order.is_other_shipping ? [await this.charges.refusal(sent, order.shipping_cost)] : []),
      ...(wait === null ? [] : [new RateExceeded(orders, wait)]),
      ...(order.has_most_unpaid ? [new QuotaExceeded(unpaidOrders)] : []),
    ];
  }
}

function toProblem(refusal: Refusal | Invalid): QuoteProblem {
  if (!(refusal instanceof Invalid)) return { code: refusal.code, detail: refusal.message, loc: null };
  const [{ loc, type, msg } = { loc: [], type: 'value_error', msg: refusal.message }] = refusal.problems;
  return { code: type, detail: msg, loc: loc.map(String) };
}

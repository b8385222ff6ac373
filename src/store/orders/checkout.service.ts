import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CallerIdentity } from '../../platform/auth/caller.js';
import { isTransientConflict, violatedKey } from '../../platform/errors/database-errors.js';
import { QuotaExceeded, RateExceeded } from '../../platform/errors/errors.js';
import { keyOfAnotherRequest, requestRunning } from '../../platform/http/idempotency-key.js';
import { JsonText } from '../../platform/http/json-text.js';
import { Settings } from '../../config/settings.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { orderedProducts } from '../catalogue/product-cache-tags.js';
import { CouponAttempts } from '../coupons/coupon-attempts.js';
import { couponRefusal } from '../coupons/coupon-state.js';
import { CheckoutRepository, type OrderDraft, type Placement, type RequestKey } from './checkout.repository.js';
import { emptyCart, insufficientStock } from './cart-refusals.js';
import type { CheckoutRequest, Order } from './orders.dto.js';
import { type OrderShipping, ShippingCharges, type ShippingWish, toOrderShipping } from './shipping-charge.js';

/** Turns the caller's cart into an order. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly repository: CheckoutRepository,
    private readonly attempts: CouponAttempts,
    private readonly charges: ShippingCharges,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
    private readonly settings: Settings,
  ) {}

  /** Orders the caller's cart without shipping or coupon; throws as `checkout` does. */
  async create(caller: CallerIdentity, key: string | null): Promise<JsonText<Order>> {
    const requestKey = toRequestKey(key, { shipping: null, couponCode: null });
    const draft = { userId: caller.id, shipping: null, couponCode: null, requestKey };
    return this.orderOf(await this.place(draft), draft, null);
  }

  /**
   * Orders the caller's cart, with shipping and perhaps a coupon, and empties it. `RuleBroken` for an empty cart or an
   * unusable coupon, `Conflict` where a line is over the stock. With an Idempotency-Key: the response to the earlier request
   * of the same content, `Conflict` while that is running, `Invalid` for a key that another request had. `RateExceeded`
   * after too many unusable codes or orders, `QuotaExceeded` with too many unpaid ones. Under the hardened policy the method
   * and its cost are the shop's, and `Invalid` where others were sent.
   */
  async checkout(
    { shipping: sent, coupon_code }: CheckoutRequest,
    caller: CallerIdentity,
    key: string | null,
  ): Promise<JsonText<Order>> {
    const couponCode = coupon_code || null;
    const shipping = toOrderShipping(sent);
    const requestKey = toRequestKey(key, { shipping, couponCode });
    const charge = await this.charges.of(sent);
    const draft = { userId: caller.id, shipping: { ...shipping, ...charge }, couponCode, requestKey };
    const order = async () => this.orderOf(await this.place(draft), draft, sent);
    return couponCode === null ? order() : this.attempts.order(caller.id, order);
  }

  /** Places an order. Where another request came in between, it does so again once that is through. */
  private async place(draft: OrderDraft): Promise<Placement> {
    try {
      const placement = await this.repository.place(draft);
      if (placement.verdict !== 'stale') return placement;
    } catch (error) {
      // The key has expired and waits for its sweep; or two requests of it ran, where a database has no advisory locks.
      if (!isTransientConflict(error) && violatedKey(error) !== 'idempotency_keys_pkey') throw error;
    }
    return this.unitOfWork.run(() => this.repository.placeAfterOthers(draft));
  }

  /** The order that was placed, now or by an earlier request of its key; throws why there is none. */
  private async orderOf(
    placement: Placement,
    { requestKey }: OrderDraft,
    sent: ShippingWish | null,
  ): Promise<JsonText<Order>> {
    const { orders, unpaidOrders } = this.settings.quotas;
    switch (placement.verdict) {
      case 'placed':
        this.changes.invalidate(orderedProducts(placement.products, placement.leaves_some));
        return new JsonText(placement.body);
      case 'stored':
        if (placement.request_hash !== requestKey?.hash) throw keyOfAnotherRequest(requestKey?.key);
        return new JsonText(placement.body);
      case 'running':
        throw requestRunning();
      case 'empty':
        throw emptyCart();
      case 'short':
        throw insufficientStock(placement.short);
      case 'coupon':
        throw couponRefusal(placement.coupon);
      case 'shipping':
        if (sent) throw await this.charges.refusal(sent, placement.shipping_cost);
        break;
      case 'rate':
        throw new RateExceeded(orders, placement.wait_seconds);
      case 'unpaid':
        throw new QuotaExceeded(unpaidOrders);
      case 'stale':
    }
    throw new Error(`An order ended as ${placement.verdict}`);
  }
}

/** With a digest of the order's input as it was sent, which distinguishes requests with the same key. */
function toRequestKey(
  key: string | null,
  wish: { shipping: OrderShipping | null; couponCode: string | null },
): RequestKey | null {
  if (key === null) return null;
  return { key, hash: createHash('sha256').update(JSON.stringify(wish)).digest('hex') };
}

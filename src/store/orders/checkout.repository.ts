import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { Database } from '../../database/database.js';
import { Mailer } from '../../platform/mail/mailer.js';
import type { CouponState } from '../coupons/coupon-state.js';
import type { ShortLine } from './cart-refusals.js';
import { removeExpiredKey } from '../idempotency/idempotency-keys.statements.js';
import { orderLimits } from './order-quotas.statements.js';
import { lockGoods, placeOrder } from './place-order.statements.js';
import type { ChargedShipping } from './shipping-charge.js';

/** The Idempotency-Key of a request, and a digest of what it asks for. */
export interface RequestKey {
  key: string;
  hash: string;
}

/** What goes into an order beside the cart's contents. */
export interface OrderDraft {
  userId: string;
  shipping: ChargedShipping | null;
  couponCode: string | null;
  requestKey: RequestKey | null;
}

/** What became of an order: only where it was placed was anything written. */
export type Placement =
  | { verdict: 'placed'; body: string; products: number[]; leaves_some: boolean }
  /** The response to the earlier request of the Idempotency-Key. */
  | { verdict: 'stored'; body: string; request_hash: string }
  /** A request of the same Idempotency-Key is running. */
  | { verdict: 'running' }
  /** Another request changed the cart while this one waited for it. */
  | { verdict: 'stale' }
  | { verdict: 'empty' }
  | { verdict: 'short'; short: ShortLine }
  | { verdict: 'coupon'; coupon: CouponState | null }
  /** What the shipping would cost; null if the shop has no such method. */
  | { verdict: 'shipping'; shipping_cost: number | null }
  /** The seconds until the quota of orders leaves another one. */
  | { verdict: 'rate'; wait_seconds: number }
  | { verdict: 'unpaid' };

/** Places orders: each by one statement, which writes it or says what stands in its way. */
@Injectable()
export class CheckoutRepository {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly settings: Settings,
  ) {}

  /**
   * Places the order of a cart. With a coupon it is committed by itself: several coupons in one transaction could be
   * locked in another order than elsewhere.
   */
  async place(draft: OrderDraft): Promise<Placement> {
    const values = this.valuesOf(draft);
    if (draft.couponCode !== null) return this.database.one<Placement>(placeOrder, values);
    const locks = { owner: draft.userId, locks: lockGoods };
    const placement = await this.database.sharedWriteOfRow<Placement>(placeOrder, values, locks);
    if (!placement) throw new Error('An order ended without a verdict');
    return placement;
  }

  /**
   * Like `place`, in a unit of work that first waits for everyone who has the cart or its goods, and forgets the key if
   * it has expired: never `stale`.
   */
  async placeAfterOthers(draft: OrderDraft): Promise<Placement> {
    const { userId, requestKey } = draft;
    await this.database.execute(lockGoods, [[userId], [userId]]);
    if (requestKey) await this.database.execute(removeExpiredKey, [userId, requestKey.key]);
    return this.database.one<Placement>(placeOrder, this.valuesOf(draft));
  }

  private valuesOf({ userId, shipping, couponCode, requestKey }: OrderDraft): unknown[] {
    return [
      userId,
      shipping?.firstName,
      shipping?.lastName,
      shipping?.address,
      shipping?.city,
      shipping?.zip,
      shipping?.country,
      shipping?.phone,
      shipping?.method,
      shipping?.cost,
      shipping?.freeFrom,
      shipping?.sentCost,
      shipping?.deliveryDays,
      couponCode,
      requestKey?.key,
      requestKey?.hash,
      this.mailer.isOn,
      ...orderLimits(this.settings.quotas),
      this.settings.lowStock,
    ];
  }
}

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccessPolicy } from '../../common/auth/access-policy.js';
import type { CallerIdentity } from '../../common/auth/caller.js';
import { isTransientConflict, violatedKey } from '../../common/errors/database-errors.js';
import { Conflict, QuotaExceeded, RateExceeded, RuleBroken } from '../../common/errors/kinds.js';
import { keyOfAnotherRequest, requestRunning } from '../../common/http/idempotency-key.js';
import { JsonText } from '../../common/http/json-text.js';
import { Changes } from '../../database/changes.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { orderedProducts } from '../catalogue/product-cache-tags.js';
import { CouponAttempts } from '../coupons/coupon-attempts.js';
import { CouponsService } from '../coupons/coupons.service.js';
import { ShopService } from '../shop/shop.service.js';
import {
  type CartContents,
  type CartLine,
  CheckoutRepository,
  type OrderShipping,
  type RequestKey,
} from './checkout.repository.js';
import { toCents, totalOf } from './money.js';
import type { CheckoutRequest, Order, ShippingInfo } from './orders.shapes.js';
import { chargeAsSent, chargeByList, type ShippingCharge, toOrderShipping } from './shipping-charge.js';

/**
 * The order's input beside the cart's contents, as it was sent; its digest distinguishes requests with the same
 * Idempotency-Key.
 */
interface OrderWish {
  shipping: OrderShipping | null;
  couponCode: string | null;
}

/** Turns the caller's cart into an order. */
@Injectable()
export class CheckoutService {
  constructor(
    private readonly repository: CheckoutRepository,
    private readonly coupons: CouponsService,
    private readonly attempts: CouponAttempts,
    private readonly shop: ShopService,
    private readonly policy: AccessPolicy,
    private readonly unitOfWork: UnitOfWork,
    private readonly changes: Changes,
  ) {}

  /** Orders the caller's cart without shipping or coupon; throws as `checkout` does. */
  create(caller: CallerIdentity, key: string | null): Promise<JsonText<Order>> {
    return this.order(caller, { shipping: null, couponCode: null }, chargeAsSent(null), key);
  }

  /**
   * Orders the caller's cart, with shipping and perhaps a coupon, and empties it. `RuleBroken` for an empty cart or an
   * unusable coupon, `Conflict` where a line is over the stock. With an Idempotency-Key: the response to the earlier request
   * of the same content, `Conflict` while that is running, `Invalid` for a key that another request had. `RateExceeded`
   * after too many unusable codes or orders, `QuotaExceeded` with too many unpaid ones. Under the hardened policy the method
   * and its cost are the shop's, and `Invalid` where others were sent.
   */
  async checkout(
    { shipping, coupon_code }: CheckoutRequest,
    caller: CallerIdentity,
    key: string | null,
  ): Promise<JsonText<Order>> {
    const couponCode = coupon_code || null;
    const wish = { shipping: toOrderShipping(shipping), couponCode };
    const charge = await this.chargeOf(shipping, wish.shipping);
    const order = () => this.order(caller, wish, charge, key);
    return couponCode === null ? order() : this.attempts.order(caller.id, order);
  }

  private async chargeOf(sent: ShippingInfo, shipping: OrderShipping): Promise<ShippingCharge> {
    if (!this.policy.hardened) return chargeAsSent(shipping);
    return chargeByList(sent, shipping, await this.shop.shippingMethods());
  }

  private async order(
    caller: CallerIdentity,
    wish: OrderWish,
    charge: ShippingCharge,
    key: string | null,
  ): Promise<JsonText<Order>> {
    const requestKey = key === null ? null : { key, hash: digestOf(wish) };
    if (wish.couponCode === null && charge.settled !== undefined) {
      const order = await this.placeAtOnce(caller.id, charge.settled, requestKey);
      if (order) return order;
    }
    const run = () => this.unitOfWork.run(() => this.place(caller.id, wish.couponCode, charge, requestKey));
    try {
      return await run();
    } catch (error) {
      // A database without advisory locks lets two requests of one key run; the second to write finds the first's
      // response.
      if (violatedKey(error) === 'idempotency_keys_pkey') return run();
      throw error;
    }
  }

  /** The usual case in one statement; null for any other, and where another request came in between. */
  private async placeAtOnce(userId: string, shipping: OrderShipping | null, key: RequestKey | null) {
    try {
      const placed = await this.repository.placeAtOnce(userId, shipping, key);
      if (placed) await this.publish(placed.products);
      return placed?.order ?? null;
    } catch (error) {
      if (isTransientConflict(error) || violatedKey(error) === 'idempotency_keys_pkey') return null;
      throw error;
    }
  }

  private async place(
    userId: string,
    couponCode: string | null,
    charge: ShippingCharge,
    requestKey: RequestKey | null,
  ): Promise<JsonText<Order>> {
    const key = requestKey?.key ?? null;
    const lock = await this.repository.lockCart(userId, key);
    if (!lock.free) throw requestRunning();
    const contents = await this.repository.lockContents(userId, lock.cart_id, key, couponCode);
    if (contents.stored) {
      assertSameRequest(contents.stored.request_hash, requestKey);
      return new JsonText(contents.stored.body);
    }
    if (lock.cart_id === null || contents.lines.length === 0) {
      throw new RuleBroken('The cart is empty: add a product to it first', 'empty_cart');
    }
    const draft = this.draftOf(contents, couponCode, charge);
    assertQuotas(contents);
    const order = await this.repository.place({ userId, cartId: lock.cart_id, requestKey, ...draft });
    await this.publish(contents.lines.map((line) => line.product_id));
    return order;
  }

  private async publish(products: number[]): Promise<void> {
    this.changes.invalidate(orderedProducts(products));
  }

  /** The order that a cart's contents make; asserts that its lines are in stock and its coupon and shipping are usable. */
  private draftOf({ lines, coupon }: CartContents, couponCode: string | null, charge: ShippingCharge) {
    assertStock(lines);
    const usable = couponCode === null ? null : this.coupons.assertUsable(coupon);
    const goods = totalOf(lines, usable?.discount_percent ?? 0, 0);
    const shipping = charge.of(goods.totalCents);
    const totalCents = goods.totalCents + toCents(shipping?.cost ?? 0);
    return { lines, shipping, coupon: usable, ...goods, totalCents };
  }
}

function digestOf(wish: OrderWish): string {
  return createHash('sha256').update(JSON.stringify(wish)).digest('hex');
}

function assertSameRequest(hash: string, requestKey: RequestKey | null): void {
  if (hash !== requestKey?.hash) throw keyOfAnotherRequest(requestKey?.key);
}

function assertQuotas({ quotas, wait_seconds, has_most_unpaid }: CartContents): void {
  if (wait_seconds !== null) throw new RateExceeded(quotas.orders, wait_seconds);
  if (has_most_unpaid) throw new QuotaExceeded(quotas.unpaidOrders);
}

function assertStock(lines: readonly CartLine[]): void {
  const short = lines.find((line) => line.quantity > line.stock);
  if (!short) return;
  const { stock, name, quantity } = short;
  throw new Conflict(
    `Only ${stock} of "${name}" are in stock, and the cart holds ${quantity}: lower the quantity`,
    'insufficient_stock',
  );
}

import { Injectable } from '@nestjs/common';
import { JsonText } from '../../common/http/json-text.js';
import type { Quotas } from '../../config/quotas.js';
import { Settings } from '../../config/settings.js';
import { Database } from '../../database/database.js';
import { Mailer } from '../../mail/mailer.js';
import type { CouponState } from '../coupons/coupon-state.js';
import { lockCart, lockContents, place } from './checkout.statements.js';
import { lockGoods, placeAtOnce, placeKeyedAtOnce } from './place-at-once.statements.js';
import { orderLimits } from './order-quotas.statements.js';
import { type PricedLine, toAmount } from './money.js';
import type { Order } from './orders.shapes.js';

/** A line of the cart that is being ordered, with its product's current state. */
export interface CartLine extends PricedLine {
  product_id: number;
  name: string;
  stock: number;
}

export interface StoredResponse {
  request_hash: string;
  body: string;
}

/** A placed order as it is answered, and its products. */
export interface PlacedOrder {
  order: JsonText<Order>;
  products: number[];
}

/** Everything that goes into an order; with a stored response, nothing else. */
export interface CartContents {
  stored: StoredResponse | null;
  lines: CartLine[];
  coupon: CouponState | null;
  /** The seconds until the user may order again; null where the quota of orders leaves one. */
  wait_seconds: number | null;
  has_most_unpaid: boolean;
  quotas: Quotas;
}

export interface CartLock {
  /** False where a request of the same Idempotency-Key is running. */
  free: boolean;
  cart_id: number | null;
}

/** The Idempotency-Key of a request, and a digest of what it asks for. */
export interface RequestKey {
  key: string;
  hash: string;
}

export interface OrderShipping {
  firstName: string;
  lastName: string;
  address: string;
  city: string;
  zip: string;
  country: string;
  phone: string | null;
  method: string;
  cost: number;
  deliveryDays: number;
}

export interface OrderDraft {
  userId: string;
  cartId: number;
  lines: readonly CartLine[];
  totalCents: number;
  discountCents: number;
  coupon: Pick<CouponState, 'id' | 'code'> | null;
  shipping: OrderShipping | null;
  requestKey: RequestKey | null;
}

interface PlacedRow {
  body: string;
  products: number[];
}

/** The statements that place an order, all for one unit of work. */
@Injectable()
export class CheckoutRepository {
  constructor(
    private readonly database: Database,
    private readonly mailer: Mailer,
    private readonly settings: Settings,
  ) {}

  /**
   * Places the order of a cart without a coupon in one statement, which needs no unit of work; writes nothing and returns null
   * where the caller has to explain a refusal.
   */
  async placeAtOnce(
    userId: string,
    shipping: OrderShipping | null,
    key: RequestKey | null,
  ): Promise<PlacedOrder | null> {
    const values = [userId, ...shippingValues(shipping), this.mailer.isOn, ...orderLimits(this.settings.quotas)];
    const [sql, all] = key ? [placeKeyedAtOnce, [...values, key.key, key.hash]] : [placeAtOnce, values];
    const placed = await this.database.sharedWriteOfRow<PlacedRow>(sql, all, { owner: userId, locks: lockGoods });
    return placed && { order: new JsonText(placed.body), products: placed.products };
  }

  /** Locks the cart; with a key, only where no other request with that key is running. */
  async lockCart(userId: string, key: string | null): Promise<CartLock> {
    return (await this.database.row<CartLock>(lockCart, [userId, key])) ?? { free: true, cart_id: null };
  }

  /**
   * Reads the response stored under the key; where there is none, locks and reads the cart's products and the coupon. Reads the
   * user's quotas, too.
   */
  async lockContents(
    userId: string,
    cartId: number | null,
    key: string | null,
    couponCode: string | null,
  ): Promise<CartContents> {
    const { quotas } = this.settings;
    const values = [userId, cartId, key, couponCode, ...orderLimits(quotas)];
    return { ...(await this.database.one<Omit<CartContents, 'quotas'>>(lockContents, values)), quotas };
  }

  /**
   * Takes the stock, counts the coupon's use, writes the order, empties the cart, stores the response under the key, and
   * queues the mail to the owner.
   */
  async place(draft: OrderDraft): Promise<JsonText<Order>> {
    const { lines, shipping, requestKey } = draft;
    const placed = await this.database.row<{ body: string }>(place, [
      draft.userId,
      draft.cartId,
      lines.map((line) => line.product_id),
      lines.map((line) => line.quantity),
      lines.map((line) => toAmount(line.price_cents)),
      toAmount(draft.totalCents),
      toAmount(draft.discountCents),
      draft.coupon?.id,
      ...shippingValues(shipping),
      requestKey?.key,
      requestKey?.hash,
      draft.coupon?.code,
      this.mailer.isOn,
    ]);
    if (!placed) throw new Error('An order was written and not returned');
    return new JsonText(placed.body);
  }
}

function shippingValues(shipping: OrderShipping | null): unknown[] {
  if (!shipping) return Array.from({ length: 10 }, () => null);
  const { firstName, lastName, address, city, zip, country, phone, method, cost, deliveryDays } = shipping;
  return [firstName, lastName, address, city, zip, country, phone, method, cost, deliveryDays];
}
